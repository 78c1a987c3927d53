/** `looper init`: writes a project configuration with the checks and set-up that were found in the repository. */
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { discoverChecks } from '../checks/discover.ts'
import { loadConfig } from '../config/layers.ts'
import { LooperError } from '../model/error.ts'
import { writeAtomic } from '../platform/files.ts'
import { ensureLooperFolder } from '../workspace/looper-folder.ts'
import { findRepository } from '../workspace/repository.ts'
import { discoverSetup } from '../workspace/setup.ts'
import { chooseAgent, type Choice } from './choose-agent.ts'
import { bringSchema, schemaReference } from './config-schema.ts'
import type { Context } from './context.ts'
import { placeIn } from './locate-agent.ts'

/** A comment and not an entry: a placeholder agent would take precedence over an agent that is installed later. */
const example =
  '  // No agent was found. Put the command of yours here:\n  // "agents": { "mine": { "command": ["my-agent"] } },\n'

export async function init(context: Context): Promise<{ path: string; created: boolean; notes: string[] }> {
  const { root } = await findRepository(context.cwd)
  const path = join(root, '.looper', 'config.json')
  await ensureLooperFolder(root)
  if (
    await access(path).then(
      () => true,
      () => false,
    )
  ) {
    loadConfig({ root, env: context.env, home: context.home })
    await bringSchema(context, path)
    return { path, created: false, notes: ['it already exists and is valid'] }
  }
  const { checks, notes } = await discoverChecks(root)
  const setup = discoverSetup(root)
  const agent = await usableAgent(context, root)
  // Keys for which nothing was found are left out: an empty list would disable discovery.
  const content = {
    $schema: schemaReference,
    workspace: { mode: 'worktree', ...(setup.length > 0 ? { setup } : {}) },
    ...(checks.length > 0 ? { checks } : {}),
    limits: { timeMinutes: 120, costUsd: 25 },
  }
  const text = JSON.stringify(content, null, 2)
  await writeAtomic(path, `${agent === null ? text.replace('  "workspace"', `${example}  "workspace"`) : text}\n`)
  await bringSchema(context, path)
  return {
    path,
    created: true,
    notes: [
      ...notes,
      checks.length > 0
        ? `checks: ${checks.map(({ run }) => run).join(', ')}`
        : 'checks: none found; add some, or everything will be unverified',
      agent === null ? 'agent: none found; put yours where the example is' : `agent: ${agent.agent} (${agent.from})`,
      'commit it together with config.schema.json, which editors use',
    ],
  }
}

/** The agent that a run would use without a project configuration; null when there is none. */
async function usableAgent(context: Context, root: string): Promise<Choice | null> {
  const { config, sources } = loadConfig({ root, env: context.env, home: context.home })
  return chooseAgent(config, sources['agent']?.source ?? 'default', placeIn(context, root)).catch((error: unknown) => {
    if (error instanceof LooperError && error.code === 'CONFIG_NO_AGENT') return null
    throw error
  })
}

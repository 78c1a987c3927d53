/** `looper init`: writes a project configuration with the checks and set-up that were found in the repository. */
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { loadConfig } from '../../config/layers.ts'
import type { CheckConfig } from '../../model/config.ts'
import { LooperError } from '../../model/error.ts'
import { writeAtomic } from '../../platform/files.ts'
import { ensureLooperFolder } from '../../workspace/looper-folder.ts'
import { findRoot } from '../../workspace/git/find-root.ts'
import { findRepository } from '../../workspace/git/repository.ts'
import type { Initialized } from '../../api/settings.ts'
import { chooseAgent, type Choice } from '../prepare/choose-agent.ts'
import { bringSchema, schemaReference } from '../settings/config-schema.ts'
import type { AppContext } from '../context.ts'
import { discoverIn } from '../prepare/discover.ts'
import { programSearchIn } from '../prepare/locate-agent.ts'

/** A note and not an entry: a placeholder agent would take precedence over an agent that is installed later. */
const noAgent = `agent: none found; name yours: looper config set agents.mine.command '["my-agent"]'`

export async function init(context: AppContext): Promise<Initialized> {
  const { root, problem } = await rootOf(context.cwd)
  return { ...(await write(context, root)), problem }
}

/** A repository without a commit gets its configuration, too: only a run needs a commit. */
async function rootOf(cwd: string): Promise<{ root: string } & Pick<Initialized, 'problem'>> {
  try {
    return { root: (await findRepository(cwd)).root, problem: null }
  } catch (error) {
    if (!(error instanceof LooperError) || error.code !== 'ENVIRONMENT_NO_COMMIT') throw error
    return { root: findRoot(cwd), problem: { message: error.message, hint: noCommitHint } }
  }
}

const noCommitHint = 'Runs start from a commit: git add -A && git commit --allow-empty -m "Start"'

async function write(context: AppContext, root: string): Promise<Omit<Initialized, 'problem'>> {
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
    return { path, created: false, notes: ['it is valid'] }
  }
  const { checks, proposed, setup, notes } = await discoverIn(root, context.env, { untracked: true })()
  const agent = await usableAgent(context, root)
  // Keys for which nothing was found are left out: an empty list would disable discovery.
  const content = {
    $schema: schemaReference,
    workspace: { mode: 'worktree', ...(setup.length > 0 ? { setup } : {}) },
    ...(checks.length > 0 ? { checks } : {}),
    limits: { timeMinutes: 120, costUsd: 25 },
  }
  await writeAtomic(path, configText(content, proposed))
  await bringSchema(context, path)
  return {
    path,
    created: true,
    notes: [
      ...notes,
      checks.length > 0
        ? `checks: ${checks.map(({ run }) => run).join(', ')}`
        : 'checks: none found; add some, or everything will be unverified',
      ...(setup.length > 0 ? [`set-up of each workspace: ${setup.join(' && ')}`] : []),
      ...(proposed.length > 0 && checks.length > 0
        ? [`also found, off until you uncomment it: ${proposed.map(({ run }) => run).join(', ')}`]
        : []),
      agent === null ? noAgent : `agent: ${agent.agent} (${agent.from})`,
      'runs use it as it is, committed or not; to share it, commit it with config.schema.json, which editors use',
    ],
  }
}

/** Proposed checks become comments above the checks: without the slashes they count. */
function configText(content: object, proposed: readonly CheckConfig[]): string {
  const lines = proposed.map((check) => `    // ${JSON.stringify(check)},\n`).join('')
  return `${JSON.stringify(content, null, 2).replace('  "checks": [\n', (start) => start + lines)}\n`
}

/** The agent that a run would use without a project configuration; null when there is none. */
async function usableAgent(context: AppContext, root: string): Promise<Choice | null> {
  const { config, sources } = loadConfig({ root, env: context.env, home: context.home })
  return chooseAgent(config, sources['agent']?.source ?? 'default', programSearchIn(context, root)).catch(
    (error: unknown) => {
      if (error instanceof LooperError && error.code === 'CONFIG_NO_AGENT') return null
      throw error
    },
  )
}

/** `looper init`: a project file to start from, with what was found in the repository written down. */
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { discoverChecks } from '../checks/discover.ts'
import { loadConfig } from '../config/layers.ts'
import { writeAtomic } from '../platform/files.ts'
import { ensureLooperFolder } from '../workspace/looper-folder.ts'
import { findRepository } from '../workspace/repository.ts'
import { discoverSetup } from '../workspace/setup.ts'
import type { Context } from './context.ts'

export async function init(context: Context): Promise<{ path: string; created: boolean; notes: string[] }> {
  const { root } = await findRepository(context.cwd)
  const path = join(root, '.looper', 'config.json')
  await ensureLooperFolder(root)
  if (await access(path).then(() => true, () => false)) {
    loadConfig({ root, env: context.env, home: context.home })
    return { path, created: false, notes: ['it exists already, and it is valid'] }
  }
  const { checks, notes } = await discoverChecks(root)
  const setup = discoverSetup(root)
  const content = {
    workflow: 'supervised',
    agents: { mine: { command: ['my-agent'] } },
    workspace: { mode: 'worktree', setup },
    checks,
    limits: { timeMinutes: 120, costUsd: 25 },
  }
  await writeAtomic(path, `${JSON.stringify(content, null, 2)}\n`)
  return {
    path, created: true,
    notes: [
      ...notes,
      checks.length > 0 ? `checks: ${checks.map(({ run }) => run).join(', ')}` : 'checks: none found; add some, or everything will be unverified',
      'agents.mine.command: put your agent there',
    ],
  }
}

/** Sets up the comparison of the files around a run without a sandbox. */
import { join } from 'node:path'
import { knownStates } from '../../agents/registry.ts'
import { hiddenChecksPath } from '../../config/hidden-checks.ts'
import { projectFile, userFile } from '../../config/config-files.ts'
import type { AgentConfig, Config } from '../../model/config.ts'
import type { Fact } from '../../model/event.ts'
import type { Surroundings } from '../../model/outside.ts'
import type { RunState } from '../../model/state.ts'
import { expandPath } from '../../platform/sandbox/paths.ts'
import { openSurroundings } from '../../workspace/surroundings/surroundings.ts'
import { gitDirsOf } from '../../workspace/clones/worktree-link.ts'
import type { AppContext } from '../context.ts'
import { cacheEntries, cacheFolder } from '../../platform/cache-folder.ts'

interface Request {
  root: string
  runDir: string
  config: Pick<Config, 'sandbox' | 'workspace' | 'backlog'>
  agents: Readonly<Record<string, AgentConfig>>
  sandboxAllow: readonly string[]
  start: Fact
  state: RunState
}

/** Null in a sandbox: a run cannot change anything outside it, so there is nothing to compare. */
export function surroundingsOf(context: AppContext, request: Request): Surroundings | null {
  const { root, runDir, config, agents, sandboxAllow, start, state } = request
  if (config.sandbox === 'os') return null
  const { env, home } = context
  const states = knownStates({ home, env })
  const expand = (path: string): string => expandPath(path, home, root)
  const named = [...sandboxAllow, ...Object.values(agents).flatMap((agent) => agent.sandboxAllow ?? [])]
  const cache = cacheFolder(context.env, context.home)
  // After a pause, changes since then are the user's own. After a crash, agents may have continued.
  const isLeft = start.type === 'run.resumed' && Object.values(state.works).some(({ work }) => work.kind === 'turn')
  return openSurroundings(
    {
      root,
      ...gitDirsOf(root),
      home,
      env,
      settings: states.protect,
      inPlace: config.workspace.mode === 'in-place',
      allowed: [...states.writable, ...states.files, ...named.map(expand)],
      own: [
        ...cacheEntries.map((name) => join(cache, name)),
        // The demo has its home in the checkout, and Looper creates it with its cache.
        ...(home.startsWith(`${root}/`) ? [home] : []),
        ...(config.workspace.folder ? [expand(config.workspace.folder)] : []),
      ],
      backlog: config.backlog,
      configFiles: [userFile(env, home).path, projectFile(root).path, join(root, hiddenChecksPath)],
      file: join(runDir, 'surroundings.json'),
    },
    isLeft ? 'crash' : 'now',
  )
}

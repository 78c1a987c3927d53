/** Sets up the comparison of the files around a run without a sandbox. */
import { join } from 'node:path'
import { knownStates } from '../agents/registry.ts'
import { hiddenChecksPath } from '../config/hidden-checks.ts'
import { projectFile, userFile } from '../config/places.ts'
import type { AgentConfig, Config } from '../model/config.ts'
import type { Fact } from '../model/event.ts'
import type { Surroundings } from '../model/outside.ts'
import type { RunState } from '../model/state.ts'
import { expandPath } from '../platform/sandbox/paths.ts'
import { openSurroundings } from '../workspace/surroundings/surroundings.ts'
import { gitDirsOf } from '../workspace/worktree-link.ts'
import type { Context } from './context.ts'
import { cacheFolder } from './sandbox.ts'

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
export function surroundingsOf(context: Context, request: Request): Surroundings | null {
  const { root, runDir, config, agents, sandboxAllow, start, state } = request
  if (config.sandbox === 'os') return null
  const { env, home } = context
  const states = knownStates({ home, env })
  const expand = (path: string): string => expandPath(path, home, root)
  const named = [...sandboxAllow, ...Object.values(agents).flatMap((agent) => agent.sandboxAllow ?? [])]
  const cache = cacheFolder(context)
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
        ...['workspaces', 'caches', 'sandbox.json'].map((name) => join(cache, name)),
        ...(config.workspace.folder ? [expand(config.workspace.folder)] : []),
      ],
      backlog: config.backlog,
      configFiles: [userFile(env, home).path, projectFile(root).path, join(root, hiddenChecksPath)],
      file: join(runDir, 'surroundings.json'),
    },
    isLeft ? 'crash' : 'now',
  )
}

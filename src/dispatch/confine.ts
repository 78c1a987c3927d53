/** Wraps the command line of a turn with the run's sandbox. Without a sandbox its processes get a tag. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import type { SpawnSpec } from '../agents/adapter.ts'
import { knownStates, stateOfAgent } from '../agents/registry.ts'
import type { AgentState } from '../agents/state.ts'
import { writePlainFile } from '../platform/plain-file.ts'
import { tagCommand } from '../platform/tag.ts'
import { schemaFile } from './schema-file.ts'
import type { Turn } from './turn.ts'

export interface Command extends Pick<SpawnSpec, 'argv' | 'readOnly'> {
  env: NodeJS.ProcessEnv
}

/**
 * Writable besides the workspace: the turn's folder, for the answer; the agent's folder of this run; the agent's state.
 * Throws like `spawn` when there is no such program.
 */
export function confineTurn(turn: Turn, cwd: string, home: string, { argv, env, readOnly }: Command): Command {
  const { setting, config, folder, work } = turn
  if (setting.sandbox === null) return { argv: tagCommand(argv, turn.mark, cwd, env), env }
  const state = stateFor(turn)
  // The file must exist before the start to be a mount point. The agent must not be able to change which process is
  // adopted or signaled.
  writePlainFile(folder.process, '')
  return setting.sandbox.wrap({
    argv,
    cwd,
    env,
    writable: [folder.path, home, ...state.writable, ...state.files],
    allow: config.sandboxAllow ?? [],
    readable: [schemaFile(setting.runDir, work.purpose)],
    // The session id comes from the agent's output, so it must not open a path.
    opened: argv.filter((word) => word !== work.session?.id),
    protect: [folder.process, ...state.protect, ...(readOnly ? [cwd] : [])],
  })
}

/** Creates missing state folders, because the home folder is read-only for the agent. */
function stateFor({ setting: { home }, work, config, env }: Turn): AgentState {
  const stateOf = stateOfAgent(work.agent, config)
  if (stateOf === null) return { writable: [], files: [], protect: [] }
  const state = stateOf({ home, env })
  // The command may start any known agent: only existing folders are used.
  if (stateOf === knownStates) return state
  for (const folder of state.writable) mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const file of state.files) if (!existsSync(file)) writeFileSync(file, '{}\n', { mode: 0o600 })
  return state
}

/** Puts the command line of a turn into the sandbox of its run. */
import { stateOfType } from '../agents/registry.ts'
import type { SpawnSpec } from '../agents/adapter.ts'
import { agentTypeOf } from '../model/agent-type.ts'
import { writePlainFile } from '../platform/plain-file.ts'
import { schemaFile } from './schema-file.ts'
import type { Turn } from './turn.ts'

export interface Command {
  argv: SpawnSpec['argv']
  env: NodeJS.ProcessEnv
}

/**
 * Writable besides the workspace: the turn's own folder, where the answer goes; the agent's folder of this run; the
 * agent's state. Throws like `spawn` when there is no such program.
 */
export function confineTurn(turn: Turn, cwd: string, home: string, { argv, env }: Command): Command {
  const { setting, config, folder, work } = turn
  if (setting.sandbox === null) return { argv, env }
  const type = agentTypeOf(work.agent, config)
  const state = type === null ? null : stateOfType(type)?.({ home: setting.home, env: turn.env }) ?? null
  // There before the start, so that it can be a mount point: which process to adopt or to signal is not for the agent
  // to say.
  writePlainFile(folder.process, '')
  return setting.sandbox.wrap({
    argv, cwd, env,
    writable: [folder.path, home, ...state?.writable ?? []],
    allow: config.sandboxAllow ?? [],
    readable: [schemaFile(setting.runDir, work.role)],
    protect: [folder.process, ...state?.protect ?? []],
  })
}

/** Starts the player, a small Node program, with the configured script, whose path is already absolute. */
import { LooperError } from '../../model/error.ts'
import type { AgentAdapter, PlanRequest, SpawnSpec } from '../adapter.ts'
import { protocolVariables } from '../protocol/variables.ts'

export interface PlayerOptions {
  playerPath: string
  /** The Node executable that runs the player. */
  node?: string
}

export const createPlan =
  (options: PlayerOptions): AgentAdapter['plan'] =>
  (request: PlanRequest): SpawnSpec => {
    const { script, env } = request.agent
    if (!script) throw new LooperError('CONFIG_INVALID', `agent "${request.work.agent}" has no script`)
    return {
      argv: [options.node ?? process.execPath, options.playerPath, script],
      env: { ...env, ...protocolVariables(request) },
      stdin: request.prompt,
      files: [{ path: request.schemaFile, content: request.schema }],
    }
  }

/** Starts the configured program directly, without a shell, with the prompt on stdin. */
import { LooperError } from '../../model/error.ts'
import type { PlanRequest, SpawnSpec } from '../adapter.ts'
import { protocolVariables } from '../protocol/variables.ts'

export function plan(request: PlanRequest): SpawnSpec {
  const [program, ...args] = request.agent.command ?? []
  if (!program) throw new LooperError('CONFIG_INVALID', `agent "${request.work.agent}" has no command`)
  return {
    argv: [program, ...args, ...(request.agent.args ?? [])],
    env: { ...request.agent.env, ...protocolVariables(request) },
    stdin: request.prompt,
    files: [{ path: request.schemaFile, content: request.schema }],
  }
}

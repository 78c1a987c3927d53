/** Starts Looper's driver, which starts the configured agent and speaks the Agent Client Protocol with it. */
import { LooperError } from '../../model/error.ts'
import type { AgentAdapter } from '../adapter.ts'
import { protocolVariables } from '../protocol/variables.ts'
import { instructionVariable, type Instruction } from './instruction.ts'

export interface DriverOptions {
  /** Path of the driver, bundled as one file. */
  driverPath: string
  node?: string
}

export const createPlan =
  ({ driverPath, node = process.execPath }: DriverOptions): AgentAdapter['plan'] =>
  (request) => {
    const { agent, work } = request
    const [program, ...args] = agent.acp ?? []
    if (!program)
      throw new LooperError(
        'CONFIG_INVALID',
        `agent "${work.agent}" has no "acp": the command line of an agent that speaks ACP`,
      )
    const instruction: Instruction = {
      argv: [program, ...args, ...(agent.args ?? [])],
      rights: request.rights,
      model: work.model ?? agent.model ?? null,
      session: work.session === undefined ? null : { id: work.session.id, spentUsd: work.session.spent.costUsd },
      countsCost: agent.billing !== 'subscription',
      mcp: request.mcp,
    }
    return {
      argv: [node, driverPath],
      env: { ...agent.env, ...protocolVariables(request), [instructionVariable]: JSON.stringify(instruction) },
      stdin: request.prompt,
      files: [{ path: request.schemaFile, content: request.schema }],
    }
  }

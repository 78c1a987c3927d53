/** A shell script as a command agent. */
import { join } from 'node:path'
import { commandAdapter } from '../../../src/agents/command/index.ts'
import type { Contract } from '../../kit/adapter-contract.ts'
import { protocolCases, protocolLooser } from '../protocol-cases.ts'

export const command: Contract = {
  adapter: commandAdapter, folder: 'command-0.1.0', sessionKey: 'id', looser: protocolLooser, cases: protocolCases,
  agent: { command: ['sh', join(import.meta.dirname, 'agent.sh')] },
}

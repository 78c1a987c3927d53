/** The player of scripts. */
import { join, resolve } from 'node:path'
import { createScriptedAdapter } from '../../../src/agents/scripted/index.ts'
import type { Contract } from '../../kit/adapter-contract.ts'
import { protocolCases, protocolLooser } from '../protocol-cases.ts'

export const scripted: Contract = {
  adapter: createScriptedAdapter({ playerPath: resolve(import.meta.dirname, '../../../src/agents/scripted/player.js') }),
  folder: 'scripted-0.1.0', sessionKey: 'id', looser: protocolLooser, cases: protocolCases,
  agent: { script: join(import.meta.dirname, 'script.yaml') },
}

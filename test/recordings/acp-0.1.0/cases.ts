/** The driver of agents that speak ACP, with a stand-in for such an agent. */
import { resolve } from 'node:path'
import type { Contract, Expected } from '../../kit/adapter-contract.ts'
import { acpAdapter } from '../../kit/driven-conversation.ts'
import { protocolCases, protocolLooser } from '../protocol-cases.ts'

const says = (text: string): object => ({ update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } } })
const uses = { update: { sessionUpdate: 'tool_call', toolCallId: 't-1', title: 'edit', rawInput: { file: 'a' } } }
const costs = { update: { sessionUpdate: 'usage_update', used: 1, size: 2, cost: { amount: 0.25, currency: 'USD' } } }

/** The expected, of a turn in which the stand-in does this; it has a session in every one. */
const played = (expected: Expected, scenario: object): Expected =>
  ({ ...expected, session: undefined, agent: { args: [JSON.stringify(scenario)] } })

export const acp: Contract = {
  adapter: acpAdapter, folder: 'acp-0.1.0', sessionKey: 'id', looser: protocolLooser,
  agent: { acp: [process.execPath, resolve(import.meta.dirname, '../../kit/acp-agent.js')] },
  cases: {
    // It does not tell how commands exit.
    'answers': played({ ...protocolCases.answers, events: protocolCases.answers.events.slice(0, 2) }, {
      turn: [says('h'), says('i'), uses, costs, { report: { status: 'complete', summary: 'done' } }],
      answer: { usage: { inputTokens: 11, outputTokens: 5 } },
    }),
    'answers-in-words': played(protocolCases['answers-in-words'], {
      turn: [says('That is all.\n```json\n{"status": "complete",\n "summary": "said"}\n```')],
    }),
    'answers-and-fails': played(protocolCases['answers-and-fails'], { turn: [{ report: { status: 'blocked' } }, { exit: 1 }] }),
    'fails': played(protocolCases.fails, { turn: [{ exit: 3 }] }),
    'crashes': played(protocolCases.crashes, { turn: [{ signal: 'SIGSEGV' }] }),
    // A time that an agent says is a time of the year in which it says so.
    'complains': played({ ...protocolCases.complains, resets: undefined }, {
      refuse: { 'session/prompt': { code: -32603, message: 'Usage limit: no more' } },
    }),
    'says-nothing': played(protocolCases['says-nothing'], {}),
    'babbles': played(protocolCases.babbles, { first: [{ print: '{\u001B[31m"\nwords\n[1,\n' }] }),
  },
}

/** Adapter of OpenCode, started once per turn. */
import type { AgentAdapter } from '../adapter.ts'
import { createParser } from './parser.ts'
import { plan } from './plan.ts'
import { probe } from './probe.ts'
import { stateOf } from './state.ts'

export const opencodeAdapter: AgentAdapter = {
  id: 'opencode',
  program: 'opencode',
  plan,
  probe,
  stateOf,
  capabilities: {
    structured: 'tool',
    resumes: true,
    readOnly: true,
    budget: false,
    cost: 'partly',
    testedWith: '1.18.33',
  },
  parser: createParser,
  stopSignals: ['SIGINT', 'SIGTERM', 'SIGKILL'],
}

/** Codex, started anew for each turn. */
import type { AgentAdapter } from '../adapter.ts'
import { gather } from './gather.ts'
import { createNative } from './native.ts'
import { createParser } from './parser.ts'
import { plan } from './plan.ts'
import { probe } from './probe.ts'
import { stateOf } from './state.ts'

export const codexAdapter: AgentAdapter = {
  id: 'codex',
  program: 'codex',
  capabilities: {
    structured: 'schema',
    resumes: true,
    readOnly: true,
    budget: false,
    cost: 'priced',
    testedWith: '0.166.0',
  },
  plan,
  // Asked for with the first turn: finding it out takes longer than loading all of this.
  parser: (context) => createParser(Intl.DateTimeFormat().resolvedOptions().timeZone)(context),
  stopSignals: ['SIGINT', 'SIGTERM', 'SIGKILL'],
  native: createNative(process),
  gather,
  probe,
  stateOf,
}

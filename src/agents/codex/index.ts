/** Adapter of Codex, started once per turn. */
import type { AgentAdapter } from '../adapter.ts'
import { gather } from './gather.ts'
import { createNative } from './native.ts'
import { createParser } from './parser.ts'
import { plan } from './plan.ts'
import { missingLogin, probe } from './probe.ts'
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
  // Resolved with the first turn, because finding the time zone takes longer than loading this module.
  parser: (context) => createParser(Intl.DateTimeFormat().resolvedOptions().timeZone)(context),
  stopSignals: ['SIGINT', 'SIGTERM', 'SIGKILL'],
  native: createNative(process),
  gather,
  probe,
  missingLogin,
  stateOf,
}

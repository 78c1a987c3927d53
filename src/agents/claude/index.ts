/** Claude Code, started anew for each turn. */
import type { AgentAdapter } from '../adapter.ts'
import { createParser } from './parser.ts'
import { createPlan } from './plan.ts'
import { probe } from './probe.ts'
import { stateOf } from './state.ts'

export const claudeAdapter: AgentAdapter = {
  id: 'claude',
  program: 'claude',
  capabilities: {
    structured: 'schema',
    resumes: true,
    readOnly: true,
    budget: true,
    cost: 'reported',
    testedWith: '2.1.325',
  },
  plan: createPlan({ isRoot: process.getuid?.() === 0 }),
  // Asked for with the first turn: finding it out takes longer than loading all of this.
  parser: (context) => createParser(Intl.DateTimeFormat().resolvedOptions().timeZone)(context),
  stopSignals: ['SIGINT', 'SIGTERM', 'SIGKILL'],
  probe,
  stateOf,
}

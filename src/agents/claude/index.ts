/** Adapter of Claude Code, started once per turn. */
import type { AgentAdapter } from '../adapter.ts'
import { createParser } from './parser.ts'
import { createPlan } from './plan.ts'
import { missingLogin, probe } from './probe.ts'
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
  // Resolved with the first turn, because finding the time zone takes longer than loading this module.
  parser: (context) => createParser(Intl.DateTimeFormat().resolvedOptions().timeZone)(context),
  stopSignals: ['SIGINT', 'SIGTERM', 'SIGKILL'],
  probe,
  missingLogin,
  stateOf,
}

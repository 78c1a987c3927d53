/** Adapter of Gemini CLI, started once per turn. */
import type { AgentAdapter } from '../adapter.ts'
import { createParser } from './parser.ts'
import { createPlan } from './plan.ts'
import { createProbe, missingLogin } from './probe.ts'
import { stateOf } from './state.ts'

const isRoot = process.getuid?.() === 0

export const geminiAdapter: AgentAdapter = {
  id: 'gemini',
  program: 'gemini',
  capabilities: {
    structured: isRoot ? 'tool' : 'words',
    resumes: true,
    readOnly: true,
    budget: false,
    cost: 'priced',
    testedWith: '0.61.0',
  },
  plan: createPlan({ isRoot }),
  parser: createParser,
  stopSignals: ['SIGINT', 'SIGTERM', 'SIGKILL'],
  probe: createProbe({ isRoot }),
  missingLogin,
  stateOf,
}

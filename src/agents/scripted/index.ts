/** Adapter of the scripted agent: plays a YAML script of turns, so that everything except the model is real. */
import type { AgentAdapter, AgentKind } from '../adapter.ts'
import { parser } from './parser.ts'
import { createPlan, type PlayerOptions } from './plan.ts'

export const scriptedKind: AgentKind = {
  id: 'scripted',
  program: null,
  parser,
  stopSignals: ['SIGINT', 'SIGTERM', 'SIGKILL'],
  capabilities: { structured: 'words', resumes: false, readOnly: false, budget: false, cost: 'reported' },
}

export const createScriptedAdapter = (options: PlayerOptions): AgentAdapter => ({
  ...scriptedKind,
  plan: createPlan(options),
})

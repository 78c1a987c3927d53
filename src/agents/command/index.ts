/** Adapter of the command agent: any program that reads a prompt and answers with JSON. */
import type { AgentAdapter } from '../adapter.ts'
import { parser } from './parser.ts'
import { plan } from './plan.ts'

export const commandAdapter: AgentAdapter = {
  id: 'command',
  program: null,
  plan,
  parser,
  stopSignals: ['SIGINT', 'SIGTERM', 'SIGKILL'],
  capabilities: { structured: 'words', resumes: false, readOnly: false, budget: false, cost: 'reported' },
}

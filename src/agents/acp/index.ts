/** Any agent that speaks the Agent Client Protocol, through a driver that makes a command agent of it. */
import type { AgentAdapter } from '../adapter.ts'
import { parser } from './parser.ts'
import { createPlan, type DriverOptions } from './plan.ts'

export const createAcpAdapter = (options: DriverOptions): AgentAdapter => ({
  id: 'acp', program: null, plan: createPlan(options), parser, stopSignals: ['SIGINT', 'SIGTERM', 'SIGKILL'],
  capabilities: { structured: 'tool', resumes: true, readOnly: false, budget: false, cost: 'reported' },
})

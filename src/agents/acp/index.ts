/** Any agent that speaks the Agent Client Protocol, run as a command agent by a driver. */
import type { AgentAdapter, AgentKind } from '../adapter.ts'
import { parser } from './parser.ts'
import { createProbe } from './probe.ts'
import { createPlan, type DriverOptions } from './plan.ts'

export const acpKind: AgentKind = {
  id: 'acp',
  program: null,
  parser,
  probe: createProbe(20_000),
  stopSignals: ['SIGINT', 'SIGTERM', 'SIGKILL'],
  capabilities: { structured: 'tool', resumes: true, readOnly: false, budget: false, cost: 'unknown' },
}

export const createAcpAdapter = (options: DriverOptions): AgentAdapter => ({ ...acpKind, plan: createPlan(options) })

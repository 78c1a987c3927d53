/** Ways in which a turn can end without a usable answer, and the policy for each. */

export const agentErrorKinds = [
  'rate_limited',
  'usage_limit',
  'overloaded',
  'network',
  'auth',
  'config',
  'context_overflow',
  'bad_response',
  'max_turns',
  'budget',
  'session_not_found',
  'timeout',
  'stalled',
  'interrupted',
  'crash',
  'unknown',
] as const
export type AgentErrorKind = (typeof agentErrorKinds)[number]

export interface AgentError {
  kind: AgentErrorKind
  message: string
  /** ISO time at which the limit is lifted, if the agent reported one. */
  resetsAt: string | null
}

export const agentError = (kind: AgentErrorKind, message: string, resetsAt: string | null = null): AgentError => ({
  kind,
  message,
  resetsAt,
})

/** wait: not the work's fault, try again later. pause: a person must act. retry: once, then the attempt fails. */
export type ErrorPolicy = 'wait' | 'pause' | 'retry'

const policies: Record<AgentErrorKind, ErrorPolicy> = {
  rate_limited: 'wait',
  usage_limit: 'wait',
  overloaded: 'wait',
  network: 'wait',
  auth: 'pause',
  config: 'pause',
  interrupted: 'retry',
  context_overflow: 'retry',
  bad_response: 'retry',
  max_turns: 'retry',
  budget: 'retry',
  session_not_found: 'retry',
  timeout: 'retry',
  stalled: 'retry',
  crash: 'retry',
  unknown: 'retry',
}

/** Rate-limited or out of quota: another agent or model may continue meanwhile. */
export const isLimit = (kind: AgentErrorKind): boolean => kind === 'rate_limited' || kind === 'usage_limit'

export const errorPolicy = (kind: AgentErrorKind): ErrorPolicy => policies[kind]

/** Maps HTTP statuses of a model's provider to error kinds. */
import type { AgentErrorKind } from '../model/agent-error.ts'

/** Null for a status without a kind. A 429 may still be an exhausted quota. */
export function kindOfStatus(status: unknown): AgentErrorKind | null {
  if (typeof status !== 'number') return null
  switch (status) {
    case 401:
    case 403:
      return 'auth'
    case 402:
      return 'usage_limit'
    case 404:
      return 'config'
    case 408:
      return 'network'
    case 413:
      return 'context_overflow'
    case 429:
      return 'rate_limited'
    default:
      return status >= 500 && status < 600 ? 'overloaded' : null
  }
}

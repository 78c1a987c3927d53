/** Classifies the errors of Claude Code. */
import { agentError, isLimit, type AgentError, type AgentErrorKind } from '../../model/agent-error.ts'
import type { Ending } from '../adapter.ts'
import { kindOfStatus } from '../http-status.ts'
import { listOf, textOf } from '../json.ts'
import { kindIn, type Sentences } from '../sentences.ts'
import { spokenTime, type Moment } from '../spoken-time.ts'

/**
 * Reasons in its last event. An answer of the wrong shape is not a failure, because the validation of the answer
 * reports it.
 */
const reasons: Readonly<Record<string, AgentErrorKind | null>> = {
  max_turns: 'max_turns',
  error_max_turns: 'max_turns',
  budget_exhausted: 'budget',
  error_max_budget_usd: 'budget',
  prompt_too_long: 'context_overflow',
  aborted_streaming: 'interrupted',
  aborted_tools: 'interrupted',
  structured_output_retry_exhausted: null,
  error_max_structured_output_retries: null,
}

const codes: Readonly<Record<string, AgentErrorKind>> = {
  usage_limit_reached: 'usage_limit',
  connection_failed: 'network',
  model_not_found: 'config',
  authentication_failed: 'auth',
}

const sentences: Sentences = [
  [/no conversation found|not a UUID and does not match any session/i, 'session_not_found'],
  [/not your usage limit/i, 'rate_limited'],
  [/hit your\b.*\blimit|\blimit reached|out of extra usage|credit balance is too low/i, 'usage_limit'],
  [/not logged in|\/login\b|invalid api key|failed to authenticate|OAuth token/i, 'auth'],
  [/prompt is too long|request too large/i, 'context_overflow'],
  [/issue with the selected model/i, 'config'],
  [/JSON parse error|unexpected token/i, 'bad_response'],
  [/overloaded/i, 'overloaded'],
  [/ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|connection|timed? ?out|can't reach|fetch failed/i, 'network'],
]

const lookUp = <T>(table: Readonly<Record<string, T>>, key: unknown): T | undefined =>
  typeof key === 'string' && Object.hasOwn(table, key) ? table[key] : undefined

/** The text of its last event. */
export const wordsOf = (result: Record<string, unknown>): string =>
  textOf(result['result'])
  ?? listOf(result['errors'])
    .filter((error) => typeof error === 'string')
    .join('; ')

/**
 * Null when the turn ended well, or when only the shape of its answer is wrong. `resetsAt`: reset time of the limit
 * from earlier events.
 */
export function errorOfResult(
  result: Record<string, unknown>,
  moment: Moment,
  resetsAt: string | null,
): AgentError | null {
  if (result['is_error'] !== true && result['subtype'] === 'success') return null
  const known = [result['terminal_reason'], result['subtype']]
    .map((reason) => lookUp(reasons, reason))
    .find((kind) => kind !== undefined)
  if (known === null) return null
  const words = wordsOf(result)
  const kind = known ?? kindOfError(result, words)
  const message =
    kind === 'interrupted'
      ? 'the agent was interrupted'
      : words || `the turn ended with ${textOf(result['subtype']) ?? 'an error'}`
  return agentError(kind, message, isLimit(kind) ? (resetsAt ?? spokenTime(words, moment)) : null)
}

function kindOfError(result: Record<string, unknown>, words: string): AgentErrorKind {
  const status = kindOfStatus(result['api_error_status'])
  const said = kindIn(sentences, words)
  if (said === 'usage_limit' || said === 'context_overflow') return lookUp(codes, result['api_error']) ?? said
  return lookUp(codes, result['api_error']) ?? status ?? said ?? 'unknown'
}

const retryWords: Partial<Record<AgentErrorKind, string>> = {
  auth: 'the key or the login was refused',
  network: 'no connection to the model',
}

/** The error of a retry event. */
export function errorOfRetry(event: Record<string, unknown>): AgentError {
  const status = event['error_status']
  const code = textOf(event['error']) ?? 'unknown'
  const kind = kindOfStatus(status) ?? lookUp(codes, code) ?? (code === 'overloaded' ? 'overloaded' : 'network')
  const message = retryWords[kind] ?? 'the model was not available'
  return agentError(kind, typeof status === 'number' ? `${message} (HTTP ${status})` : `${message} (${code})`)
}

/** The error of a process that exited before its first event; null when stderr does not explain it. */
export function errorOfStart({ code, stderr }: Ending): AgentError | null {
  const words = stderr.trim()
  if (code === null || code === 0 || words === '') return null
  const kind =
    kindIn(sentences, words) ?? (/^error: /i.test(words) || /cannot be used with root/.test(words) ? 'config' : null)
  return kind === null ? null : agentError(kind, words)
}

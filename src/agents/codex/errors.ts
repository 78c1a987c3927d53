/** Classifies the errors of Codex: it prints sentences only, and writes a code to its session file. */
import { agentError, isLimit, type AgentError, type AgentErrorKind } from '../../model/agent-error.ts'
import type { Ending } from '../adapter.ts'
import { kindOfStatus } from '../http-status.ts'
import { createClassifier, wordsIn, type Sentences } from '../sentences.ts'
import { spokenTime, type Moment } from '../spoken-time.ts'
import type { Rollout } from './rollout.ts'

const codes: Readonly<Record<string, AgentErrorKind>> = {
  usage_limit_exceeded: 'usage_limit',
  rate_limit_exceeded: 'rate_limited',
  server_overloaded: 'overloaded',
  internal_server_error: 'overloaded',
  context_window_exceeded: 'context_overflow',
  model_not_found: 'config',
  unauthorized: 'auth',
}

const despiteStatus: Sentences = [
  [/no rollout found|thread\/resume failed/i, 'session_not_found'],
  [/usage limit|quota exceeded|exceeded your current quota|insufficient_quota|out of credits/i, 'usage_limit'],
  [/context window|context_length_exceeded|maximum context length/i, 'context_overflow'],
]
const withoutStatus: Sentences = [
  [/rate limit|too many requests/i, 'rate_limited'],
  [/at capacity|high demand|overloaded|server had an error/i, 'overloaded'],
  [/not logged in|log ?in again|refresh token|token (?:has )?(?:expired|been revoked)|incorrect api key/i, 'auth'],
  [/model .*(?:not exist|not found|not supported)|newer version of codex|invalid_json_schema/i, 'config'],
  [/missing environment variable|error loading config|failed to read output schema/i, 'config'],
  [/stream disconnected|connection|network|transport error|timed? ?out|error sending request/i, 'network'],
]
const status = /\bstatus:? (\d{3})\b/
const classify = createClassifier({ despiteStatus, withoutStatus })

const kindOfSentence = (text: string): AgentErrorKind | null => classify(text, Number(status.exec(text)?.[1]))

const kindOfCode = (error: Rollout['error']): AgentErrorKind | null =>
  error === null ? null : Object.hasOwn(codes, error.code) ? (codes[error.code] ?? null) : kindOfStatus(error.status)

/** Prefers the code, because sentences change, and the exact reset time, because a clock time has no seconds. */
export function errorOfMessage(message: string, moment: Moment, rollout: Rollout | null): AgentError {
  const kind = kindOfCode(rollout?.error ?? null) ?? kindOfSentence(message) ?? 'unknown'
  const exact = kind === 'usage_limit' ? (rollout?.resetsAt ?? null) : null
  return agentError(
    kind,
    wordsIn(message) || 'the turn failed',
    isLimit(kind) ? (exact ?? spokenTime(message, moment)) : null,
  )
}

/** "Reconnecting... 2/5 (why)" or "Reconnecting... waiting for network (why)". */
const retrying = /^Reconnecting\.\.\. (?<how>[^(]*)(?:\((?<why>.*)\))?$/s

/** The error of an event that announces a retry; null for any other event. */
export function errorOfRetry(message: string): { error: AgentError; isWaiting: boolean } | null {
  const found = retrying.exec(message)?.groups
  if (found === undefined) return null
  const { how = '', why = how } = found
  const error = agentError(kindOfSentence(why) ?? 'network', why.trim())
  return { error, isWaiting: how.startsWith('waiting for network') }
}

/** The error of a process that exited before its first event; null when stderr does not explain it. */
export function errorOfStart({ code, stderr }: Ending): AgentError | null {
  const words = stderr
    .split('\n')
    .filter((line) => !line.startsWith('WARNING'))
    .join('\n')
    .trim()
  if (code === null || code === 0 || words === '') return null
  const kind = kindOfSentence(words) ?? (/^error\b/i.test(words) ? 'config' : null)
  return kind === null ? null : agentError(kind, words)
}

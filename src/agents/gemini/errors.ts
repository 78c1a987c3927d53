/** Classifies the errors of Gemini CLI: the provider's response or a sentence, and a status in its exit code. */
import { agentError, isLimit, type AgentError, type AgentErrorKind } from '../../model/agent-error.ts'
import type { Ending } from '../adapter.ts'
import { kindOfStatus } from '../http-status.ts'
import { dig, objectOf, parseObject, textOf } from '../json.ts'
import { createClassifier, kindIn, type Sentences } from '../sentences.ts'
import { spokenTime, type Moment } from '../spoken-time.ts'

const types: Readonly<Record<string, AgentErrorKind>> = {
  FatalTurnLimitedError: 'max_turns',
  FatalAuthenticationError: 'auth',
  FatalCancellationError: 'interrupted',
  FatalConfigError: 'config',
  FatalInputError: 'config',
  FatalSandboxError: 'config',
}

const despiteStatus: Sentences = [
  [/No previous sessions found|Invalid session identifier/i, 'session_not_found'],
  [/exhausted your (?:daily quota|capacity)|credits? balance|out of credits/i, 'usage_limit'],
  [/no capacity available|MODEL_CAPACITY/i, 'overloaded'],
  [/token count.*exceeds the maximum|request payload size exceeds/i, 'context_overflow'],
  [/API key (?:not valid|not found|expired|is invalid)|API_KEY_INVALID/i, 'auth'],
]
const withoutStatus: Sentences = [
  [/unknown argument|invalid values|not a valid|configuration file|YOLO mode/i, 'config'],
  [/resource has been exhausted|exceeded your current quota|too many requests|RESOURCE_EXHAUSTED/i, 'rate_limited'],
  [/overloaded|high demand|internal error has occurred|UNAVAILABLE/i, 'overloaded'],
  [/auth method|authenticat|credentials|permission|verify your account|log ?in\b/i, 'auth'],
  [/is not found for API version|requested entity was not found|model not found/i, 'config'],
  [/incomplete JSON|is not valid JSON|unexpected (?:token|end of)|malformed function call/i, 'bad_response'],
  [/empty response|no final response|blocked/i, 'bad_response'],
  [/terminated|without a finish reason|fetch failed|socket|network|timed? ?out/i, 'network'],
  [/ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE/i, 'network'],
]

/** Statuses that Gemini CLI exits with, as `status & 255`. */
const statuses = [401, 403, 404, 408, 413, 429, 500, 502, 503, 504, 529]

/** Its own exit codes, for failures before the first event. */
const codes: Readonly<Record<number, AgentErrorKind>> = { 41: 'auth', 42: 'config', 44: 'config', 52: 'config' }

const kindOf = createClassifier({ despiteStatus, withoutStatus })

/** `complaint`: the last error message before the end. Null when the turn ended well. */
export function errorOfResult(
  result: Record<string, unknown>,
  complaint: string | null,
  moment: Moment,
): AgentError | null {
  if (result['status'] === 'success') return null
  const type = textOf(dig(result, 'error', 'type')) ?? ''
  const { words, status } = unwrap(textOf(dig(result, 'error', 'message')) ?? complaint ?? '')
  const kind = (Object.hasOwn(types, type) ? types[type] : null) ?? kindOf(words, status) ?? 'unknown'
  return agentError(kind, words || 'the turn failed', isLimit(kind) ? spokenTime(words, moment) : null)
}

/** Parses `[API Error: {"error":{"code":401,…}}]` or `[API Error: words]`, which may be followed by advice. */
function unwrap(message: string): { words: string; status: unknown } {
  const inner = /^\[API Error: (.*)\](?:\n|$)/s.exec(message)?.[1] ?? message
  const error = objectOf(dig(parseObject(inner), 'error'))
  return { words: (textOf(error?.['message']) ?? inner).trim(), status: error?.['code'] }
}

/** Classifies an unknown error by the exit code. */
export function withExit(error: AgentError, { code }: Ending): AgentError {
  const kind =
    error.kind === 'unknown' ? kindOfStatus(statuses.find((status) => code !== null && (status & 255) === code)) : null
  return kind === null ? error : { ...error, kind }
}

/** The error of a process that exited before its first event; null when stderr does not explain it. */
export function errorOfStart({ code, stderr }: Ending): AgentError | null {
  if (code === null || code === 0) return null
  const words = stderr
    .split('\n')
    .filter((line) => !noise.test(line))
    .join('\n')
    .trim()
    .slice(0, keptChars)
  const kind = kindIn(despiteStatus, words) ?? codes[code] ?? kindIn(withoutStatus, words)
  return kind === null ? null : agentError(kind, words || `exit code ${code}`)
}

const noise = /^(?:Warning: |YOLO mode is enabled|Ripgrep |\[STARTUP\]|Security Warning: )/

/** The error comes first, followed by many lines of help. */
const keptChars = 500

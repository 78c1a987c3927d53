/**
 * Classifies the errors of an ACP agent: from error responses, stop reasons, and sentences that agents print instead.
 */
import { agentError, isLimit, type AgentError, type AgentErrorKind } from '../../../model/agent-error.ts'
import { kindOfStatus } from '../../http-status.ts'
import { dig, textOf } from '../../json.ts'
import { kindIn, wordsIn, type Sentences } from '../../sentences.ts'
import { spokenTime, type Moment } from '../../spoken-time.ts'
import type { Refusal } from './peer.ts'

/** Matched in this order: an exhausted quota is also reported with status 429. */
const sentences: Sentences = [
  [/not your usage limit/i, 'rate_limited'],
  [
    /hit your\b.{0,40}\blimit|usage limit|exhausted your .{0,40}quota|insufficient_quota|credit balance is too low/i,
    'usage_limit',
  ],
  [/prompt is too long|context.(?:window|length)|maximum number of tokens|too large to compact/i, 'context_overflow'],
  [/too many requests|rate limit|\(429\)|resource has been exhausted/i, 'rate_limited'],
  [/api key|not logged in|\/login\b|authenticat|status 40[13]\b|not allowed to use|permission_denied/i, 'auth'],
  [/model\S* .{0,80}(?:not exist|not found)|issue with the selected model/i, 'config'],
  [/at capacity|overloaded|(?:status|API Error:) 5\d\d\b/i, 'overloaded'],
  [
    /ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|stream disconnected|connection|network error|fetch failed|^terminated$/i,
    'network',
  ],
  [/\bJSON\b/, 'bad_response'],
]

/** Error codes that agents put into the data of an error. */
const words: Readonly<Record<string, AgentErrorKind>> = {
  rate_limit: 'rate_limited',
  authentication_failed: 'auth',
  model_not_found: 'config',
  server_error: 'overloaded',
  usageLimitExceeded: 'usage_limit',
  contextWindowExceeded: 'context_overflow',
  serverOverloaded: 'overloaded',
  unauthorized: 'auth',
  ContextOverflowError: 'context_overflow',
  ProviderAuthError: 'auth',
}

/** Last messages that only codex-acp writes, when a turn failed. No model writes them. */
const lastWords: readonly RegExp[] = [
  /^exceeded retry limit, last status: \d{3}\b/,
  /^unexpected status \d{3}\b/,
  /^stream disconnected before completion: /,
  /^Selected model is at capacity\./,
  /^Codex ran out of room in the model's context window\./,
  /^You(?:’|')ve hit your usage limit\b/,
  /^The model does not exist or you do not have access to it\.$/,
  /^\{"error":\{/,
]

/** Adds the reset time of the limit when the message names it. */
const limited = (kind: AgentErrorKind, message: string, moment: Moment): AgentError =>
  agentError(kind, message, isLimit(kind) ? spokenTime(message, moment) : null)

export function errorOfRefusal(refusal: Refusal, during: 'start' | 'load' | 'prompt', moment: Moment): AgentError {
  const message = describe(refusal)
  if (refusal.code === -32000) return agentError('auth', `${message}: log in with the agent itself, or give it a key`)
  if (refusal.code === -32800) return agentError('interrupted', message)
  return during === 'load'
    ? agentError('session_not_found', message)
    : limited(kindOf(refusal, message), message, moment)
}

function kindOf({ code, data }: Refusal, message: string): AgentErrorKind {
  const messages = ['codexErrorInfo', 'errorName', 'errorKind'].map((key) => textOf(dig(data, key)) ?? '')
  const named = messages.flatMap((word) => (Object.hasOwn(words, word) ? [words[word]] : []))[0]
  // Some agents use the HTTP status as error code, and 500 when they have none.
  const status = code === 500 ? null : kindOfStatus(code)
  return kindIn(sentences, message) ?? named ?? status ?? (code === -32601 || code === -32602 ? 'config' : 'unknown')
}

/** Adds the error's data, because the message alone is often generic or the body of an HTTP response. */
function describe({ message, data }: Refusal): string {
  const messages = [data, dig(data, 'message'), dig(data, 'details')].map((each) => textOf(each) ?? '')
  const more = messages.filter((each) => !message.includes(each))
  return [wordsIn(message), ...more].filter((each) => each !== '').join(': ') || 'an error without a message'
}

/** Null when the turn ended normally. `refused`: the agent was denied a permission. */
export function errorOfStop(reason: unknown, refused: boolean): AgentError | null {
  switch (reason) {
    case 'end_turn':
      return null
    case 'max_tokens':
      return agentError('context_overflow', 'the agent ran out of tokens')
    case 'max_turn_requests':
      return agentError('max_turns', 'the agent reached its own limit of steps')
    case 'refusal':
      return agentError('bad_response', 'the agent refused to continue')
    case 'cancelled':
      return agentError(
        'interrupted',
        refused ? 'the agent stopped when it was not allowed to edit' : 'the agent was interrupted',
      )
    default:
      return agentError('bad_response', `the agent stopped for an unknown reason: ${JSON.stringify(reason) ?? 'none'}`)
  }
}

/** Null when the last message of a turn comes from the model. */
export function errorOfWords(text: string, moment: Moment): AgentError | null {
  const said = text.trim()
  return lastWords.some((pattern) => pattern.test(said))
    ? limited(kindIn(sentences, said) ?? 'unknown', wordsIn(said), moment)
    : null
}

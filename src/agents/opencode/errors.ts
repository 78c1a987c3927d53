/** Classifies the errors of OpenCode: by the provider's status, headers and body, or else by sentences. */
import { agentError, isLimit, type AgentError, type AgentErrorKind } from '../../model/agent-error.ts'
import type { Ending } from '../adapter.ts'
import { dig, numberOf, parseObject, textOf, timeOfSeconds } from '../json.ts'
import { createClassifier, kindIn, type Sentences } from '../sentences.ts'
import { spokenTime } from '../spoken-time.ts'

const names: Readonly<Record<string, AgentErrorKind>> = {
  ContextOverflowError: 'context_overflow',
  ProviderAuthError: 'auth',
  MessageAbortedError: 'interrupted',
  MessageOutputLengthError: 'bad_response',
  ProviderModelNotFoundError: 'config',
}

const despiteStatus: Sentences = [
  [/session not found/i, 'session_not_found'],
  [/usage[ _]?limit|free usage exceeded|insufficient_quota|credit balance|out of credits/i, 'usage_limit'],
  [/exceeded your current quota(?!.*retry in)/is, 'usage_limit'],
  [/context[ _]length|context window|prompt is too long|token count.*exceeds/i, 'context_overflow'],
  [/model[ _]not[ _]found|ProviderModelNotFound|configuration is invalid|must provide a message/i, 'config'],
]
const withoutStatus: Sentences = [
  [/rate[ -]?limit|too many requests|resource.exhausted|exceeded your current quota/i, 'rate_limited'],
  [/overloaded|at capacity|server_?error|server had an error|unavailable/i, 'overloaded'],
  [/api[ _-]key|unauthori[sz]ed|authenticat|log ?in\b/i, 'auth'],
  [/JSON parse|not valid JSON|invalid response|type validation/i, 'bad_response'],
  [/connect|socket|network|ECONN|ENOTFOUND|EAI_AGAIN|timed? ?out|fetch failed|terminated/i, 'network'],
]

const kindOf = createClassifier({ despiteStatus, withoutStatus })

/** The error of an error event. `at`: when it was printed. */
export function errorOfEvent(error: unknown, at: string): AgentError {
  const name = textOf(dig(error, 'name')) ?? ''
  const said = textOf(dig(error, 'data', 'message')) ?? ''
  const body = textOf(dig(error, 'data', 'responseBody')) ?? ''
  const text = `${said}\n${body}`.slice(0, maxChars)
  const kind =
    (Object.hasOwn(names, name) ? names[name] : null) ?? kindOf(text, dig(error, 'data', 'statusCode')) ?? 'unknown'
  const words = textOf(parseObject(said)?.['message']) ?? said
  const resetsAt = isLimit(kind) ? (resetOf(dig(error, 'data', 'responseHeaders'), body, at) ?? spoken(said, at)) : null
  return agentError(kind, words || name || 'the turn failed', resetsAt)
}

const maxChars = 10_000

function spoken(text: string, at: string): string | null {
  const moment = { after: at, said: at, zone: 'UTC' }
  return spokenTime(text, moment)
}

const resetHeaders = ['x-codex-primary-reset-at', 'anthropic-ratelimit-unified-reset']

/** Reset time of the limit, as the provider reports it. */
function resetOf(headers: unknown, body: string, at: string): string | null {
  const header = (name: string): string | null => textOf(dig(headers, name))
  const seconds = [...resetHeaders.map((name) => Number(header(name))), dig(parseObject(body), 'error', 'resets_at')]
  const exact = seconds.map(timeOfSeconds).find((time) => time !== null)
  return exact ?? later(at, Number(header('retry-after-ms') ?? Number.NaN)) ?? afterHeader(header('retry-after'), at)
}

/** The value is a number of seconds or a date. */
function afterHeader(value: string | null, at: string): string | null {
  if (value === null) return null
  const seconds = Number(value)
  return later(at, Number.isNaN(seconds) ? Date.parse(value) - Date.parse(at) : seconds * 1_000)
}

function later(at: string, ms: number): string | null {
  const time = Date.parse(at) + ms
  return ms > 0 && time < lastTime ? new Date(time).toISOString() : null
}

const lastTime = Date.UTC(2200, 0)

/**
 * The error of a line that announces a wait before a retry. OpenCode's own short waits say nothing about the provider's
 * limits.
 */
export function errorOfRetry(event: Record<string, unknown>, at: string): { error: AgentError; isLong: boolean } {
  const message = (textOf(event['message']) ?? '').slice(0, maxChars)
  const kind = kindOf(message, null) ?? 'overloaded'
  const wait = numberOf(event['next']) - Date.parse(at)
  const isLong = wait > ownWaitMs
  const resetsAt = isLong && isLimit(kind) ? later(at, wait) : null
  return { error: agentError(kind, message || 'the model was not available', resetsAt), isLong }
}

const ownWaitMs = 60_000

/** Classifies an unknown error by its entry in OpenCode's logs. */
export function withLogs(error: AgentError, reference: string | null, { stderr }: Ending): AgentError {
  if (error.kind !== 'unknown' || reference === null) return error
  const line = stderr.split('\n').findLast((each) => each.includes(` ref=${reference} `)) ?? ''
  const cause = parseString(/\berror=("(?:[^"\\]|\\.)*"|\S+)/.exec(line)?.[1] ?? '')
  return cause === '' ? error : { ...error, kind: kindOf(cause, null) ?? 'unknown', message: cause }
}

export const referenceOf = (error: unknown): string | null => textOf(dig(error, 'data', 'ref'))

function parseString(text: string): string {
  if (!text.startsWith('"')) return text
  return textOf(parseObject(`{"text":${text}}`)?.['text']) ?? text
}

/** The error of a process that exited before its first event; null when stderr does not explain it. */
export function errorOfStart({ code, stderr }: Ending): AgentError | null {
  if (code === null || code === 0) return null
  const words = stderr.replace(colors, '').trim()
  const kind = isHelp.test(words) ? 'config' : kindIn(despiteStatus, words)
  const message = isHelp.test(words)
    ? 'it does not know one of its arguments'
    : words.replace(/^Error: /, '').slice(0, 500)
  return kind === null ? null : agentError(kind, message)
}

// eslint-disable-next-line no-control-regex
const colors = /\u001B\[[\d;]*m/g
const isHelp = /^opencode run \[message/

/**
 * Parses OpenCode's stream: steps with text, tools and usage. The last step marks the end, because the stream has no
 * end event.
 */
import { agentError, type AgentError } from '../../model/agent-error.ts'
import { addUsage, noUsage, type Usage } from '../../model/usage.ts'
import type { AgentEvent, AgentParser, Ending, ParserContext, TurnAnswer } from '../adapter.ts'
import { chooseAnswer } from '../answer.ts'
import { judgeExit } from '../exit.ts'
import { countOf, dig, numberOf, textOf, timeOfSeconds } from '../json.ts'
import { createLineReader } from '../line-reader.ts'
import { resumable } from '../session-id.ts'
import { createSpeech } from '../speech.ts'
import { errorOfEvent, errorOfRetry, errorOfStart, referenceOf, withLogs } from './errors.ts'
import { usageOfStep } from './usage.ts'

/** OpenCode continues by itself after these finish reasons. */
const unfinished: readonly string[] = ['tool-calls', 'unknown']
/** With more of these in a row, the turn cannot recover. */
const most = { retries: 1, compactions: 2, hollowSteps: 4 }
const emptyAnswers = agentError('bad_response', 'the model keeps sending empty answers')
const endlessSummaries = agentError(
  'context_overflow',
  'the agent keeps compacting a context that does not fit into the model',
)

export function createParser({ agent, work, startedAt }: ParserContext): AgentParser {
  const speech = createSpeech()
  const model = work.model ?? agent.model ?? null
  let session: string | null = null
  let usage: Usage = noUsage
  let steps = 0
  let compactions = 0
  let hollowSteps = 0
  let at = startedAt
  let isEnded = false
  let unrecoverable: AgentError | null = null
  let failure: AgentError | null = null
  let reference: string | null = null

  const recordSession = (event: Record<string, unknown>): AgentEvent[] => {
    const id = session === null ? resumable(event['sessionID'], agent) : null
    if (id === null) return []
    session = id
    return [{ type: 'session', id }]
  }
  const goOn = (): void => {
    isEnded = false
    failure = null
  }
  const readStart = (event: Record<string, unknown>): AgentEvent[] => {
    goOn()
    steps++
    return recordSession(event)
  }
  const readText = (event: Record<string, unknown>): AgentEvent[] => {
    const text = textOf(dig(event, 'part', 'text'))
    if (text === null) return []
    if (dig(event, 'part', 'synthetic') === true) return recordOwnWords(event)
    speech.add(text)
    const message = speech.finish()
    return [...recordSession(event), ...(message === null ? [] : [{ type: 'message' as const, text: message }])]
  }
  /** OpenCode writes a message of its own when it continues after compaction. */
  const recordOwnWords = (event: Record<string, unknown>): AgentEvent[] => {
    goOn()
    if (dig(event, 'part', 'metadata', 'compaction_continue') === true && ++compactions > most.compactions) {
      unrecoverable ??= endlessSummaries
    }
    return []
  }
  const readToolUse = (event: Record<string, unknown>): AgentEvent[] => {
    const name = textOf(dig(event, 'part', 'tool'))
    if (name === null) return []
    goOn()
    steps++
    compactions = 0
    const input = dig(event, 'part', 'state', 'input')
    const command = name === 'bash' ? textOf(dig(input, 'command')) : null
    const exit = dig(event, 'part', 'state', 'metadata', 'exit')
    return [
      ...recordSession(event),
      { type: 'tool_use', name, input },
      ...(command === null
        ? []
        : [{ type: 'command' as const, command, exitCode: typeof exit === 'number' ? exit : null }]),
    ]
  }
  const readFinish = (event: Record<string, unknown>): AgentEvent[] => {
    const spent = usageOfStep(event['part'], model, agent)
    const reason = dig(event, 'part', 'reason')
    usage = addUsage(usage, spent)
    isEnded = typeof reason === 'string' && !unfinished.includes(reason)
    hollowSteps = reason === 'unknown' && spent.outputTokens === 0 ? hollowSteps + 1 : 0
    if (hollowSteps > most.hollowSteps) unrecoverable ??= emptyAnswers
    return [...recordSession(event), { type: 'usage', usage: spent }]
  }
  const readError = (event: Record<string, unknown>): AgentEvent[] => {
    isEnded = false
    failure = errorOfEvent(event['error'], at)
    reference = referenceOf(event['error'])
    return [...recordSession(event), { type: 'error', error: failure }]
  }
  const readRetry = (event: Record<string, unknown>): AgentEvent[] => {
    const { error, isLong } = errorOfRetry(event, at)
    if (isLong || countOf(event['attempt']) > most.retries) unrecoverable ??= error
    return [{ type: 'retry', error }]
  }
  const { push, skip, began } = createLineReader({
    readers: {
      step_start: readStart,
      text: readText,
      tool_use: readToolUse,
      step_finish: readFinish,
      error: readError,
      looper_retry: readRetry,
    },
    onEvent(event) {
      at = timeOfSeconds(numberOf(event['timestamp']) / 1_000) ?? at
    },
    keep: speech.record,
  })
  const end = (ending: Ending): TurnAnswer => {
    const { value, problem } = chooseAnswer({ given: null, file: ending.file, words: speech.words() })
    const isWell = isEnded && (ending.code === 0 || (ending.code === null && ending.signal === null))
    const cut = isWell ? null : ((began() ? null : errorOfStart(ending)) ?? judgeExit(ending, speech.tail()))
    return {
      value,
      problem,
      failure: failure === null ? cut : withLogs(failure, reference, ending),
      text: speech.tail(),
      usage,
      sessionId: session,
    }
  }
  return {
    push,
    skip,
    usage: () => usage,
    session: () => session,
    lastTime: () => at,
    steps: () => steps,
    unrecoverable: () => unrecoverable,
    end,
  }
}

/** Parses Gemini CLI's event stream: partial messages, tool uses, and a result at the end. */
import type { AgentError } from '../../model/agent-error.ts'
import { noUsage, type Usage } from '../../model/usage.ts'
import type { AgentEvent, AgentParser, Ending, ParserContext, TurnAnswer } from '../adapter.ts'
import { chooseAnswer } from '../answer.ts'
import { judgeExit } from '../exit.ts'
import { dig, textOf, timeOf } from '../json.ts'
import { createLineReader } from '../line-reader.ts'
import { resumable } from '../session-id.ts'
import { createSpeech } from '../speech.ts'
import { errorOfResult, errorOfStart, withExit } from './errors.ts'
import { usageOfStats } from './usage.ts'

export function createParser({ agent, work, startedAt }: ParserContext): AgentParser {
  const speech = createSpeech()
  /** Commands in progress, by the id of their tool use. */
  const commands = new Map<unknown, string>()
  let named: string | null = null
  let session: string | null = null
  let model: string | null = null
  let usage: Usage = noUsage
  let steps = 0
  let isAnswering = false
  let at = startedAt
  let complaint: string | null = null
  let result: Record<string, unknown> | null = null
  let failure: AgentError | null = null

  const recordAnswer = (): void => {
    if (!isAnswering) steps++
    isAnswering = true
  }
  const finishMessage = (): AgentEvent[] => {
    const text = speech.finish()
    return text === null ? [] : [{ type: 'message', text }]
  }
  /** Gemini CLI does not save a session in which the model never answered. */
  const keepSession = (): AgentEvent[] => {
    if (session !== null || named === null) return []
    session = named
    return [{ type: 'session', id: session }]
  }
  const readInit = (event: Record<string, unknown>): AgentEvent[] => {
    model = textOf(event['model'])
    named = resumable(event['session_id'], agent)
    return work.session === undefined ? [] : keepSession()
  }
  const readMessage = (event: Record<string, unknown>): AgentEvent[] => {
    const text = textOf(event['content'])
    if (event['role'] !== 'assistant' || text === null) return []
    recordAnswer()
    speech.add(text)
    return event['delta'] === true ? [] : finishMessage()
  }
  const readToolUse = (event: Record<string, unknown>): AgentEvent[] => {
    const name = textOf(event['tool_name'])
    if (name === null) return []
    recordAnswer()
    steps++
    const input = event['parameters']
    const command = textOf(dig(input, 'command'))
    if (name === 'run_shell_command' && command !== null) commands.set(event['tool_id'], command)
    return [...finishMessage(), ...keepSession(), { type: 'tool_use', name, input }]
  }
  const readToolResult = (event: Record<string, unknown>): AgentEvent[] => {
    isAnswering = false
    const id = event['tool_id']
    const command = commands.get(id)
    if (command === undefined) return []
    commands.delete(id)
    // Gemini CLI does not report exit codes.
    return [{ type: 'command', command, exitCode: null }]
  }
  const readError = (event: Record<string, unknown>): AgentEvent[] => {
    const words = textOf(event['message'])
    if (words === null) return []
    if (event['severity'] === 'error') complaint = words
    speech.record(words)
    return []
  }
  const readResult = (event: Record<string, unknown>): AgentEvent[] => {
    if (result !== null) return []
    result = event
    usage = usageOfStats(event['stats'], model, agent)
    const moment = { after: at, said: at, zone: 'UTC' }
    failure = errorOfResult(event, complaint, moment)
    return [
      ...finishMessage(),
      ...(failure === null ? keepSession() : []),
      { type: 'usage', usage },
      ...(failure === null ? [] : [{ type: 'error' as const, error: failure }]),
    ]
  }
  const { push, skip, began } = createLineReader({
    readers: {
      init: readInit,
      message: readMessage,
      tool_use: readToolUse,
      tool_result: readToolResult,
      error: readError,
      result: readResult,
    },
    onEvent(event) {
      at = timeOf(event['timestamp']) ?? at
    },
    keep: speech.record,
  })
  const end = (ending: Ending): TurnAnswer => {
    speech.finish()
    const { value, problem } = chooseAnswer({ given: null, file: ending.file, words: speech.words() })
    const cut = result !== null ? null : ((began() ? null : errorOfStart(ending)) ?? judgeExit(ending, speech.tail()))
    return {
      value,
      problem,
      failure: failure === null ? cut : withExit(failure, ending),
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
    unrecoverable: () => null,
    end,
  }
}

/** Parses the output of a turn in the command protocol: events as they arrive, and the answer at the end. */
import type { AgentError } from '../../model/agent-error.ts'
import { noUsage, type Usage } from '../../model/usage.ts'
import type { AgentEvent, AgentParser, Ending, ParserContext, TurnAnswer } from '../adapter.ts'
import { judgeExit } from '../exit.ts'
import { createTail } from '../tail.ts'
import { maxCostUsd, maxTokens, parseLine } from '../json.ts'
import { eventTypes, toEvent } from './events.ts'
import { createObjectFinder } from './object-finder.ts'
import { readAnswer } from './read-answer.ts'

const keptChars = 2_000
const maxIdChars = 200

export function createProtocolParser({ agent }: Pick<ParserContext, 'agent'> = { agent: {} }): AgentParser {
  const finder = createObjectFinder()
  const said = createTail(keptChars)
  /**
   * The last object without a `type`, and the last whose `type` is not an event. The former is more likely the answer.
   */
  let plain: Record<string, unknown> | null = null
  let typed: Record<string, unknown> | null = null
  let usage: Usage = { ...noUsage }
  let error: AgentError | null = null
  let sessionId: string | null = null
  let steps = 0

  const record = (event: AgentEvent): void => {
    switch (event.type) {
      case 'session':
        sessionId = event.id.slice(0, maxIdChars) || null
        break
      case 'usage':
        usage = boundedSum(usage, agent.billing === 'subscription' ? { ...event.usage, costUsd: 0 } : event.usage)
        break
      case 'error':
        error = event.error
        break
      case 'message':
        said.add(event.text)
        steps++
        break
      case 'raw':
        said.add(event.text)
        break
      case 'tool_use':
        steps++
        break
      case 'command':
      case 'retry':
      case 'quota':
        break
    }
  }
  const consider = (value: Record<string, unknown>): void => {
    if (value.type === undefined) plain = value
    else if (!eventTypes.has(value.type)) typed = value
  }
  const push = (line: string): AgentEvent[] => {
    const whole = parseLine(line)
    const event = toEvent(whole, line)
    record(event)
    // Most lines are exactly one object, which needs no search.
    if (whole !== null && finder.isBetween()) {
      finder.found()
      consider(whole)
    } else finder.push(line).forEach(consider)
    return [event]
  }
  const skip = (bytes: number): void => {
    finder.interrupt()
    said.add(`(a line of ${bytes} bytes was not read)`)
  }
  const end = (ending: Ending): TurnAnswer => {
    const fromFile = ending.file === null ? null : readAnswer(ending.file)
    const value = fromFile?.value ?? plain ?? typed
    const flaw = fromFile?.flaw ?? finder.flaw()
    const isWell = ending.code === 0 || (ending.code === null && ending.signal === null && value !== null)
    return {
      value,
      usage,
      sessionId,
      text: said.read(),
      problem:
        flaw !== null
          ? `malformed JSON near: ${flaw.trim()}`
          : value === null
            ? 'no JSON object was given as the answer'
            : null,
      failure: error ?? (isWell ? null : judgeExit(ending, said.read())),
    }
  }
  return {
    push,
    skip,
    usage: () => usage,
    session: () => sessionId,
    steps: () => steps,
    unrecoverable: () => null,
    end,
  }
}

const boundedSum = (a: Usage, b: Usage): Usage => ({
  inputTokens: Math.min(a.inputTokens + b.inputTokens, maxTokens),
  outputTokens: Math.min(a.outputTokens + b.outputTokens, maxTokens),
  costUsd: Math.min(a.costUsd + b.costUsd, maxCostUsd),
})

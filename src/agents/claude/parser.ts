/** Parses Claude Code's event stream: one line per content block, and a result event with the totals at the end. */
import { agentError, type AgentError } from '../../model/agent-error.ts'
import { addUsage, noUsage, type Usage } from '../../model/usage.ts'
import type { AgentEvent, AgentParser, Ending, ParserContext, TurnAnswer } from '../adapter.ts'
import { chooseAnswer } from '../answer.ts'
import { judgeExit } from '../exit.ts'
import { dig, listOf, objectOf, shareOf, textOf, timeOf, timeOfSeconds, isObject } from '../json.ts'
import { createLineReader } from '../line-reader.ts'
import { resumable } from '../session-id.ts'
import { createTail } from '../tail.ts'
import { errorOfResult, errorOfRetry, errorOfStart, wordsOf } from './errors.ts'
import { usageOfMessage, usageOfResult } from './usage.ts'

/** A rejected API key stays rejected; a login may be refreshed once and then work. */
const fixedKeys: readonly unknown[] = ['ANTHROPIC_API_KEY', '/login managed key']
const answerTool = 'StructuredOutput'

export const createParser =
  (localZone: string) =>
  ({ agent, startedAt }: ParserContext): AgentParser => {
    const said = createTail()
    const zone = agent.env?.['TZ'] ?? localZone
    const messages = new Set<unknown>()
    /** Commands in progress, by the id of their tool use. */
    const commands = new Map<unknown, string>()
    let session: string | null = null
    let keyIsFixed = false
    /** Usage from results, usage from messages since the last result, and the sum of both. */
    let settled: Usage = noUsage
    let unsettled: Usage = noUsage
    let usage: Usage = noUsage
    let steps = 0
    let refusals = 0
    let unrecoverable: AgentError | null = null
    /** The newest timestamp in the stream. */
    let at = startedAt
    let resetsAt: string | null = null
    /** Whether tokens are paid in dollars; null while unknown. */
    let pays = agent.billing === undefined ? null : agent.billing === 'api'
    let aborted = false
    let refusedAnswer: Record<string, unknown> | null = null
    let result: Record<string, unknown> | null = null
    let failure: AgentError | null = null

    const count = (isPaid: boolean): void => {
      usage = addUsage(settled, { ...unsettled, costUsd: isPaid ? unsettled.costUsd : 0 })
    }
    /** Estimates a message's cost from list prices and partial counts; the result event corrects it. */
    const recordMessage = (message: unknown): void => {
      const id = dig(message, 'id')
      if (dig(message, 'model') === '<synthetic>' || messages.has(id)) return
      if (id !== undefined) messages.add(id)
      steps++
      unsettled = addUsage(unsettled, usageOfMessage(message, agent))
      count(pays === true)
    }
    const readBlock = (block: unknown): AgentEvent[] => {
      const text = textOf(dig(block, 'text'))
      if (dig(block, 'type') === 'text' && text !== null) {
        said.add(text)
        return [{ type: 'message', text }]
      }
      const name = textOf(dig(block, 'name'))
      if (dig(block, 'type') !== 'tool_use' || name === null) return []
      steps++
      const input = dig(block, 'input')
      const command = textOf(dig(input, 'command'))
      if (name === 'Bash' && command !== null) commands.set(dig(block, 'id'), command)
      if (name === answerTool) refusedAnswer = objectOf(input)
      return [{ type: 'tool_use', name, input }]
    }
    const readAssistant = (event: Record<string, unknown>): AgentEvent[] => {
      aborted ||= event['aborted'] === true
      if (event['is_api_error_message'] === true) return []
      recordMessage(event['message'])
      return listOf(dig(event, 'message', 'content')).flatMap(readBlock)
    }
    const readUser = (event: Record<string, unknown>): AgentEvent[] =>
      listOf(dig(event, 'message', 'content')).flatMap((block): AgentEvent[] => {
        const id = dig(block, 'tool_use_id')
        const command = commands.get(id)
        if (command === undefined) return []
        commands.delete(id)
        return [{ type: 'command', command, exitCode: exitCodeOf(block) }]
      })
    const readSystem = (event: Record<string, unknown>): AgentEvent[] => {
      if (event['subtype'] === 'init') {
        keyIsFixed = fixedKeys.includes(event['apiKeySource'])
        if (keyIsFixed) pays ??= true
        session = resumable(event['session_id'], agent, '--no-session-persistence')
        return session === null ? [] : [{ type: 'session', id: session }]
      }
      if (event['subtype'] !== 'api_retry') return []
      const error = errorOfRetry(event)
      if (error.kind === 'auth' || error.kind === 'config') refusals++
      if (refusals >= (keyIsFixed ? 1 : 2)) unrecoverable ??= error
      return [{ type: 'retry', error }]
    }
    const readLimits = (info: unknown): AgentEvent[] => {
      // Only a subscription has usage windows, and use beyond them is billed by the token. With an API key there is no
      // subscription, whatever the event says.
      if (agent.billing === undefined && !keyIsFixed && isObject(info)) pays = dig(info, 'isUsingOverage') === true
      const until = timeOfSeconds(dig(info, 'resetsAt'))
      if (dig(info, 'status') === 'rejected' && until !== null) resetsAt = until
      return Object.entries(objectOf(dig(info, 'unifiedWindows')) ?? {}).map(([name, window]) => ({
        type: 'quota',
        name,
        used: shareOf(dig(window, 'utilization')),
        resetsAt: timeOfSeconds(dig(window, 'resetsAt')),
      }))
    }
    const readResult = (event: Record<string, unknown>): AgentEvent[] => {
      result = event
      const reported = usageOfResult(event)
      const spent = { ...reported, costUsd: pays === false ? 0 : reported.costUsd }
      settled = usage = addUsage(settled, spent)
      unsettled = noUsage
      failure = errorOfResult(event, { after: at, said: at === startedAt ? null : at, zone }, resetsAt)
      return [
        { type: 'usage', usage: spent },
        ...(failure === null ? [] : [{ type: 'error' as const, error: failure }]),
      ]
    }
    const { push, skip, began } = createLineReader({
      readers: {
        system: readSystem,
        assistant: readAssistant,
        user: readUser,
        rate_limit_event: (event) => readLimits(event['rate_limit_info']),
        result: readResult,
      },
      onEvent(event) {
        at = later(at, timeOf(event['timestamp']))
      },
      keep: said.add,
    })
    const end = (ending: Ending): TurnAnswer => {
      count(pays !== false)
      const words = result === null ? null : wordsOf(result)
      const { value, problem } = chooseAnswer({
        given: objectOf(dig(result, 'structured_output')),
        file: ending.file,
        refused: refusedAnswer,
        words: words ?? said.read(),
      })
      const cut = (began() ? null : errorOfStart(ending)) ?? judgeExit(ending, said.read())
      const stopped = aborted ? agentError('interrupted', 'the agent was interrupted') : cut
      return {
        value,
        problem: dig(result, 'subtype') === 'error_max_structured_output_retries' ? words : problem,
        failure: failure ?? (result === null ? stopped : null),
        text: words ?? said.read(),
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

const later = (a: string, b: string | null): string => (b !== null && Date.parse(b) > Date.parse(a) ? b : a)

/** The exit code is only in the text of a failed command; a successful one has none. */
function exitCodeOf(block: unknown): number | null {
  if (dig(block, 'is_error') !== true) return 0
  const code = /^(?:Error: )?Exit code (\d{1,3})\b/.exec(textOf(dig(block, 'content')) ?? '')?.[1]
  return code === undefined ? null : Number(code)
}

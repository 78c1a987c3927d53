/** Parses Codex's event stream: items as they begin and end, and one event that reports how the turn ended. */
import type { AgentError } from '../../model/agent-error.ts'
import { noUsage, type Usage } from '../../model/usage.ts'
import type { AgentEvent, AgentParser, Ending, ParserContext, TurnAnswer } from '../adapter.ts'
import { chooseAnswer } from '../answer.ts'
import { judgeExit } from '../exit.ts'
import { dig, objectOf, parseObject, textOf } from '../json.ts'
import type { Consumed } from '../prices.ts'
import { createLineReader } from '../line-reader.ts'
import { resumable } from '../session-id.ts'
import { createTail } from '../tail.ts'
import { errorOfMessage, errorOfRetry, errorOfStart } from './errors.ts'
import { commandOf, toolOf } from './items.ts'
import { consumedOf, digestRollout, type Rollout } from './rollout.ts'
import { usageOfTurn } from './usage.ts'

/** Codex waits for the network forever, eventually a minute each time. This many waits take more than a minute. */
const mostWaits = 5
/** Tolerates one rejection, because the login may be refreshed once. */
const mostRefusals = 2

export const createParser =
  (localZone: string) =>
  ({ agent, work, startedAt }: ParserContext): AgentParser => {
    const said = createTail()
    const zone = agent.env?.['TZ'] ?? localZone
    const seen = new Set<unknown>()
    let session: string | null = null
    let consumed: Consumed | null = null
    let usage: Usage = noUsage
    let steps = 0
    let waits = 0
    let refusals = 0
    let unrecoverable: AgentError | null = null
    let lastMessage: string | null = null
    let complaint: string | null = null
    let ended: 'well' | 'badly' | null = null

    /** Only the session file names the plan and the model, so the cost is not estimated before it is read. */
    const count = (total: Consumed | null, rollout: Rollout | null): Usage => {
      const isPaidByMonth = agent.billing === undefined && (rollout === null || rollout.plan !== null)
      return total === null
        ? noUsage
        : usageOfTurn(total, { agent, work, model: rollout?.model ?? null, isPaidByMonth })
    }

    const readItem = (item: Record<string, unknown>, isOver: boolean): AgentEvent[] => {
      const text = textOf(item['text'])
      if (item['type'] === 'agent_message' && text !== null && isOver) {
        steps++
        lastMessage = text
        said.add(text)
        return [{ type: 'message', text }]
      }
      const tool = toolOf(item)
      if (tool === null) return []
      const isNew = !seen.has(item['id'])
      if (item['id'] !== undefined) seen.add(item['id'])
      if (isNew) steps++
      return [...(isNew ? [{ type: 'tool_use' as const, ...tool }] : []), ...(isOver ? commandOf(item) : [])]
    }
    const readError = (message: string): AgentEvent[] => {
      const retry = errorOfRetry(message)
      if (retry === null) {
        complaint = message
        return []
      }
      const { error, isWaiting } = retry
      waits = isWaiting ? waits + 1 : 0
      if (error.kind === 'auth' || error.kind === 'config') refusals++
      if (refusals >= mostRefusals || waits >= mostWaits) unrecoverable ??= error
      return [{ type: 'retry', error }]
    }
    const fail = (rollout: Rollout | null): AgentError => {
      const at = rollout?.at ?? null
      return errorOfMessage(complaint ?? '', { after: at ?? startedAt, said: at, zone }, rollout)
    }
    const readTurnItem = (event: Record<string, unknown>): AgentEvent[] => {
      waits = 0
      return readItem(objectOf(event['item']) ?? {}, event['type'] === 'item.completed')
    }
    const { push, skip, began } = createLineReader({
      readers: {
        'thread.started'(event) {
          session = resumable(event['thread_id'], agent, '--ephemeral')
          return session === null ? [] : [{ type: 'session', id: session }]
        },
        'item.started': readTurnItem,
        'item.completed': readTurnItem,
        error: (event) => readError(textOf(event['message']) ?? ''),
        'turn.completed'(event) {
          ended = 'well'
          consumed = consumedOf(event['usage'])
          usage = count(consumed, null)
          return [{ type: 'usage', usage }]
        },
        'turn.failed'(event) {
          ended = 'badly'
          complaint = textOf(dig(event, 'error', 'message')) ?? complaint
          return [{ type: 'error', error: fail(null) }]
        },
      },
      keep: said.add,
    })
    const judge = (ending: Ending, rollout: Rollout): AgentError | null => {
      if (ended === 'well') return null
      if (ended === 'badly' || complaint !== null) return fail(rollout)
      return (began() ? null : errorOfStart(ending)) ?? judgeExit(ending, said.read())
    }
    const end = (ending: Ending): TurnAnswer => {
      const rollout = digestRollout(ending.extra ?? '', startedAt)
      usage = count(consumed ?? rollout.consumed, rollout)
      return {
        ...chooseAnswer({ given: parseObject(lastMessage), file: ending.file, words: lastMessage }),
        failure: judge(ending, rollout),
        text: lastMessage ?? said.read(),
        usage,
        sessionId: session,
        quotas: rollout.quotas,
      }
    }
    return {
      push,
      skip,
      usage: () => usage,
      session: () => session,
      steps: () => steps,
      unrecoverable: () => unrecoverable,
      end,
    }
  }

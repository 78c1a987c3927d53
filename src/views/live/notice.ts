/** Selects the events that people and their programs are notified of, and words the notifications. */
import { isLimit, type AgentErrorKind } from '../../model/agent-error.ts'
import type { Event } from '../../model/event.ts'
import type { RunState } from '../../model/state.ts'
import { msBetween } from '../../model/time.ts'
import type { WaitWork } from '../../model/work.ts'
import { ownerOf } from '../../model/work-id.ts'
import { clock } from '../text/format.ts'
import { plain } from '../text/plain-text.ts'

export type HookName = 'postIteration' | 'onQuestion' | 'onLimit' | 'onEnd'

export interface Notice {
  hook: HookName
  /** Arguments of the called program; the path of the last message is inserted as the third one of `postIteration`. */
  args: string[]
  /** The agent's last message, for `postIteration`. */
  message: string
  title: string
  text: string
}

/** Null: no notification. */
export function noticeOf(event: Event, state: RunState): Notice | null {
  switch (event.type) {
    case 'task.finished':
      return event.by === 'source' || (state.tasks[event.task]?.attempts ?? 0) === 0
        ? null
        : ended(state, event.task, wordFor(event), event.summary ?? event.reason ?? '')
    case 'attempt.failed':
      return event.next === 'retry' ? ended(state, event.task, 'failed', event.failure.summary) : null
    case 'iteration.finished':
      return ended(state, event.name, event.status, event.summary)
    case 'question.asked':
      return event.question.default === null ? questionNotice(event, state) : null
    case 'work.started':
      return event.work.kind === 'wait' && isForLimit(event.work, event.at, state)
        ? notice('onLimit', [state.run, event.work.until], `${state.run} waits`, `until ${clock(event.work.until)}`)
        : null
    case 'run.paused':
      return pausedNotice(event, state)
    case 'run.ended':
      return notice(
        'onEnd',
        [state.run, event.status, event.reason ?? ''],
        `${state.run} ${event.status}`,
        event.reason ?? plain(state.goal, 200),
      )
    default:
      return null
  }
}

const notice = (hook: HookName, args: string[], title: string, text: string, message = ''): Notice => ({
  hook,
  args,
  message,
  title: plain(title, 100),
  text: plain(text, 300),
})

const questionNotice = ({ question: { id, text } }: Event<'question.asked'>, { run }: RunState): Notice =>
  notice('onQuestion', [id, text], `${run} asks ${id}`, text)

function ended({ run, loop, wave }: RunState, subject: string, status: string, message: string): Notice {
  const label = `iter-${loop ? loop.entries.length : wave}`
  return notice('postIteration', [subject, status, label], `${run}: ${subject} ${status}`, message, message)
}

/** The status names that backlog agents use. */
const wordFor = ({ status }: Event<'task.finished'>): string => (status === 'cancelled' ? 'skipped' : status)

/** Shorter waits are not notified, except the first one for a usage limit. */
const briefMs = 60_000

/**
 * Notifies of a usage limit when it is hit, and of any long wait. An overloaded model or a bad connection is retried
 * silently.
 */
function isForLimit({ awaits, until }: WaitWork, at: string, state: RunState): boolean {
  if (awaits.kind !== 'retry') return false
  const { question, nth } = awaits
  const kind = nth === null ? 'rate_limited' : lastError(state, question)
  if (kind === null || !isLimit(kind)) return false
  return msBetween(at, until) >= briefMs || (kind === 'usage_limit' && nth === 1)
}

/** The error of the last try at a question. */
function lastError({ ledger }: RunState, question: string): AgentErrorKind | null {
  const tries = Object.values(ledger[ownerOf(question)] ?? {}).filter((entry) => entry.question === question)
  const errors = tries.flatMap(({ outcome }) =>
    outcome.kind === 'turn' && outcome.status === 'error' ? [outcome.error.kind] : [],
  )
  return errors.at(-1) ?? null
}

function pausedNotice({ reason }: Event<'run.paused'>, state: RunState): Notice | null {
  if (reason.kind === 'user') return null
  const isLimit = reason.kind === 'limit' || reason.kind === 'wait'
  return isLimit
    ? notice('onLimit', [state.run, reason.detail], `${state.run} paused`, reason.detail)
    : notice('onEnd', [state.run, 'paused', reason.detail], `${state.run} paused`, reason.detail)
}

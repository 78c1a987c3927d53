/** Which events people and their programs are told of, and in which words. */
import type { Event } from '../model/event.ts'
import type { RunState } from '../model/state.ts'
import { clock } from './format.ts'
import { plain } from './plain-text.ts'

export type HookName = 'postIteration' | 'onQuestion' | 'onLimit' | 'onEnd'

export interface Notice {
  hook: HookName
  /** For the program that is called; the path of the last message is put in as the third of `postIteration`. */
  args: string[]
  /** What the agent said last, for `postIteration`. */
  message: string
  title: string
  text: string
}

/** Null: nobody is told. */
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
      return event.work.kind === 'wait' && isForQuota(event.work.id)
        ? notice('onLimit', [state.run, event.work.until], `${state.run} waits`, `until ${clock(event.work.until)}`)
        : null
    case 'run.paused':
      return pausedNotice(event, state)
    case 'run.ended':
      return notice(
        'onEnd', [state.run, event.status, event.reason ?? ''], `${state.run} ${event.status}`, event.reason ?? plain(state.goal, 200),
      )
    default:
      return null
  }
}

const notice = (hook: HookName, args: string[], title: string, text: string, message = ''): Notice =>
  ({ hook, args, message, title: plain(title, 100), text: plain(text, 300) })

const questionNotice = ({ question: { id, text } }: Event<'question.asked'>, { run }: RunState): Notice =>
  notice('onQuestion', [id, text], `${run} asks ${id}`, text)

function ended({ run, loop, wave }: RunState, subject: string, status: string, message: string): Notice {
  const label = `iter-${loop ? loop.entries.length : wave}`
  return notice('postIteration', [subject, status, label], `${run}: ${subject} ${status}`, message, message)
}

/** The words of a backlog's agents. */
const wordFor = ({ status }: Event<'task.finished'>): string => (status === 'cancelled' ? 'skipped' : status)

const isForQuota = (id: string): boolean => !id.startsWith('limit/') && !id.endsWith('/delay')

function pausedNotice({ reason }: Event<'run.paused'>, state: RunState): Notice | null {
  if (reason.kind === 'user') return null
  const isLimit = reason.kind === 'limit' || reason.kind === 'wait'
  return isLimit
    ? notice('onLimit', [state.run, reason.detail], `${state.run} paused`, reason.detail)
    : notice('onEnd', [state.run, 'paused', reason.detail], `${state.run} paused`, reason.detail)
}

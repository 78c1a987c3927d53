/** Turns journal events into log lines: how turns ended, which checks Looper ran, what went wrong. */
import { ownerOf } from '../model/work-id.ts'
import type { Event } from '../model/event.ts'
import type { LogContent, LogEvent, LogOrigin } from '../model/log.ts'
import { commandLine, type CheckWork, type Outcome, type TurnOutcome, type TurnWork, type Work } from '../model/work.ts'

/** The origin of a turn's log lines. */
export const originOf = (run: string, { task, id, role, agent }: TurnWork): LogOrigin => ({
  run,
  task,
  turn: id,
  role,
  agent,
})

/** `work`: the work that the event ends, if any. `isTask` distinguishes tasks from stages. */
export function logOf(run: string, event: Event, work: Work | null, isTask: (id: string) => boolean): LogEvent[] {
  const at = (origin: LogOrigin, content: LogContent | null): LogEvent[] =>
    content === null ? [] : [{ timestamp: event.at, ...content, ...origin }]
  const own = (id: string | null, task: string | null): LogOrigin => ({ run, task, turn: id, role: null, agent: null })
  switch (event.type) {
    case 'work.finished': {
      if (work?.kind === 'turn') return at(originOf(run, work), contentOf(work, event.outcome))
      if (work?.kind === 'check') return at(own(work.id, work.task), checkOf(work, event.outcome))
      const owner = ownerOf(event.id)
      return at(own(event.id, isTask(owner) ? owner : null), failureOf(event.outcome))
    }
    case 'work.lost':
      if (work?.kind !== 'turn' || onPurpose.has(event.why)) return []
      return at(originOf(run, work), { type: 'error', error: `lost: ${event.why}` })
    case 'run.ended':
      return event.reason === null
        ? []
        : at(own(null, null), { type: 'error', error: `the run ${event.status}: ${event.reason}` })
    default:
      return []
  }
}

/** Work that was stopped on purpose is not an error. */
const onPurpose = new Set(['cancelled', 'not wanted any more', 'aborted'])

function contentOf(work: TurnWork, outcome: Outcome): LogContent | null {
  if (outcome.kind !== 'turn') return failureOf(outcome)
  switch (outcome.status) {
    case 'ok':
      return summaryOf(work, outcome.result)
    case 'invalid':
      return { type: 'error', error: `invalid answer: ${outcome.errors.join('; ')}` }
    case 'error':
      return { type: 'error', error: errorText(outcome.error) }
  }
}

export const errorText = ({ kind, message }: Extract<TurnOutcome, { status: 'error' }>['error']): string =>
  `${kind}: ${message}`

/** The answer's own summary and status. Roles that only judge or plan have no status and count as done. */
function summaryOf({ task }: TurnWork, result: unknown): LogContent {
  const answer: Record<string, unknown> = typeof result === 'object' && result !== null ? { ...result } : {}
  const status = typeof answer.status === 'string' ? answer.status : 'done'
  const added = [answer.new_tasks, answer.newTasks, answer.tasks].find((list) => Array.isArray(list))
  return {
    type: 'summary',
    status: status === 'complete' ? 'done' : status,
    task_id: typeof answer.task_id === 'string' ? answer.task_id : task,
    summary: textOf(answer),
    new_tasks: Array.isArray(added) ? added : [],
  }
}

function textOf({ summary, feedback, score, reason, analysis }: Record<string, unknown>): string {
  const words = [summary, feedback, reason, analysis].find((text) => typeof text === 'string' && text !== '')
  return [...(typeof score === 'number' ? [`score ${score}`] : []), ...(typeof words === 'string' ? [words] : [])].join(
    ': ',
  )
}

function checkOf({ run }: CheckWork, outcome: Outcome): LogContent | null {
  if (outcome.kind !== 'check') return failureOf(outcome)
  return { type: 'command', command: commandLine(run), exitCode: outcome.exitCode }
}

const failureOf = (outcome: Outcome): LogContent | null =>
  outcome.kind === 'failure' ? { type: 'error', error: `${outcome.code}: ${outcome.message}` } : null

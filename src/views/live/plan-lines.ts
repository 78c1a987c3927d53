/** Live lines about where tasks come from: an accepted plan, or a backlog that was read. */
import type { Event } from '../../model/event.ts'
import { nameSource } from '../../model/source.ts'
import type { RunState } from '../../model/state.ts'
import { plural } from '../text/format.ts'
import { newestAnswer } from '../facts/ledger.ts'
import type { Paint } from '../text/paint.ts'
import { plain } from '../text/plain-text.ts'
import { facts } from '../facts/progress.ts'

/** The first poll reports the number of tasks; later ones report only problems. */
export function polledLine(
  { poll, problems, changes }: Event<'source.polled'>,
  state: RunState,
  paint: Paint,
): string | null {
  if (problems.length > 0) return `${paint.warn('!')} the backlog cannot be read: ${plain(problems[0] ?? '', 160)}`
  if (poll > 0 && changes > 0) return `${paint.busy('●')} backlog: ${plural(changes, 'change')} taken in`
  return poll > 0 || state.order.length === 0 ? null : readLine(state, paint)
}

function readLine({ counts, order, config, pipeline }: RunState, paint: Paint): string {
  const stage = pipeline?.stages.map(({ completion }) => completion).find(({ kind }) => kind === 'tasks-empty')
  const source = config.source === 'todo-file' && stage?.kind === 'tasks-empty' ? stage.source : config.source
  const parts = (['doing', 'todo', 'blocked', 'done', 'cancelled'] as const)
    .filter((status) => counts[status] > 0)
    .map((status) => `${counts[status]} ${status}`)
  const from = plain(nameSource(source, config.backlog), 80)
  return `${paint.busy('●')} ${facts(`${plural(order.length, 'task')} read from ${from}`, parts.join(', '))}`
}

export const scoreText = (score: number | null): string => (score === null ? '' : ` (score ${score})`)

const whys: Record<Event<'plan.accepted'>['why'], string> = {
  approved: '',
  unreviewed: 'without review',
  skipped: 'although not approved: revisions are used up',
  lowered: 'at the lowered threshold',
}

export function acceptedLine(event: Event<'plan.accepted'>, state: RunState, paint: Paint): string | null {
  // A backlog is read, not judged like a plan. The line about the first poll already covers it.
  if (state.backlog) return event.revision > 1 ? readLine(state, paint) : null
  const planned = plannedCount(state)
  const tasks = planned === 0 ? '' : `${plural(planned, 'task')} `
  const mark = event.why === 'skipped' || event.why === 'lowered' ? paint.warn('!') : paint.good('✓')
  return `${mark} ${facts(`plan: ${tasks}accepted${scoreText(event.score)}`, whys[event.why])}`
}

/** The plan is accepted before its tasks are added, so this counts the tasks in the answer. */
function plannedCount(state: RunState): number {
  const answer = newestAnswer(state, 'plan', 'planner')
  const tasks = typeof answer === 'object' && answer !== null && 'tasks' in answer ? answer.tasks : null
  return Array.isArray(tasks) ? tasks.length : state.order.length
}

/** The live line about tasks that are done again. */
import type { Event } from '../../model/event.ts'
import type { RunState } from '../../model/state.ts'
import { attemptId, isBelow } from '../../model/work-id.ts'
import type { Paint } from '../text/paint.ts'

const reasons: Record<Event<'task.reopened'>['why'], string> = {
  'goal-iteration': 'another goal iteration',
  resumed: 'the run was resumed',
  answered: 'its question was answered',
  asked: 'you asked',
  changed: 'something has changed',
  cooldown: 'its cooldown is over',
  source: 'it was reopened in the backlog',
}

/** A resume also reopens tasks that waited for an answer: these have their own line. Null without a task. */
export function reopenedLine({ tasks, why }: Event<'task.reopened'>, state: RunState, paint: Paint): string | null {
  const answered = why === 'resumed' ? tasks.filter((id) => isAnswered(id, state)) : []
  const line = (ids: readonly string[], reason: typeof why): string[] =>
    ids.length === 0 ? [] : [`${paint.warn('↻')} ${ids.join(', ')} reopened (${reasons[reason]})`]
  const others = tasks.filter((id) => !answered.includes(id))
  const lines = [...line(answered, 'answered'), ...line(others, why)]
  return lines.length === 0 ? null : lines.join('\n')
}

/** Its last attempt asked, or the planner before the first one, and there is an answer. */
function isAnswered(id: string, { questions, tasks }: RunState): boolean {
  const attempts = tasks[id]?.attempts ?? 0
  const asker = attempts === 0 ? 'plan' : attemptId(id, attempts)
  return questions.some(
    ({ origin, answer, blocks }) => answer !== null && blocks.includes(id) && isBelow(origin, asker),
  )
}

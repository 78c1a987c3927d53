/** progress.md: the progress of the run in numbers, for people and for agents that read the folder. */
import type { RunState } from '../../model/state.ts'
import type { TaskStatus } from '../../model/task.ts'
import { activities } from '../live/activity.ts'
import { clock, duration } from '../text/format.ts'
import { mdLine } from '../text/markdown.ts'
import { statusFirstLine } from './plan-md.ts'
import { consumedText } from '../status/quota-text.ts'
import { elapsedMs, openQuestions, reasonOf, stageText } from '../facts/progress.ts'

const statuses: TaskStatus[] = ['done', 'doing', 'todo', 'blocked', 'failed', 'split', 'cancelled']

const countsText = ({ counts }: RunState): string =>
  statuses
    .filter((status) => counts[status] > 0)
    .map((status) => `${counts[status]} ${status}`)
    .join(', ')

export function progressMd(state: RunState): string {
  const reason = reasonOf(state)
  const goalIteration = state.goalIteration > 0 ? `, goal iteration ${state.goalIteration}` : ''
  const lines = [
    statusFirstLine(state),
    '',
    `# Progress: ${mdLine(state.goal, 200)}`,
    '',
    ...(reason === null ? [] : [`- Why: ${mdLine(reason, 300)}`]),
    `- Stage: ${stageText(state)}, wave ${state.wave}${goalIteration}`,
    `- Tasks: ${countsText(state) || 'none yet'}`,
    `- Running time: ${duration(elapsedMs(state))}, started ${clock(state.startedAt)}, as of ${clock(state.lastAt)}`,
    `- Turns: ${state.turns}`,
    `- Cost: ${consumedText(state)}`,
    ...activities(state).map((what) => `- Now: ${mdLine(what, 120)}`),
    ...openQuestions(state).map(({ id, text }) => `- Open question ${id}: ${mdLine(text, 300)}`),
  ]
  return `${lines.join('\n')}\n`
}

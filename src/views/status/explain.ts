/** `looper doctor <run>`: explains the status of a run, what it waits for, and what it would do next. */
import { isSatisfied } from '../../model/split-tasks.ts'
import type { RunState, TaskState } from '../../model/state.ts'
import { activities } from '../live/activity.ts'
import { clock, utc, type Zone } from '../text/format.ts'
import { advice, nextSteps, stepRows, unsticking, type Step } from './next-steps.ts'
import { noPaint, type Paint } from '../text/paint.ts'
import { shortRuns } from '../text/name-run.ts'
import { plain } from '../text/plain-text.ts'
import { openQuestions, optionsText } from '../facts/progress.ts'
import type { Liveness } from './liveness.ts'
import { wrap, type Width } from '../text/rows.ts'
import { explainNext, type Intent } from './explain-next.ts'
import { explainWhy } from './explain-why.ts'

export interface Explanation {
  why: string[]
  waits: string[]
  next: string[]
  /** Commands that a person can run now. */
  commands: Step[]
}

/** `zone`: of the people who read it; UTC for programs. */
export const explain = (state: RunState, liveness: Liveness, intent: Intent, zone: Zone = utc): Explanation => ({
  why: explainWhy(state, liveness),
  waits: waits(state, liveness, zone),
  next: explainNext(state, liveness, intent, zone),
  commands: [...nextSteps(state, liveness), ...unsticking(state)],
})

function waits(state: RunState, liveness: Liveness, zone: Zone): string[] {
  const { live } = liveness
  const waiting = state.order
    .flatMap((id) => state.tasks[id] ?? [])
    .filter(({ status, waitingOn }) => status === 'todo' && waitingOn > 0)
  return [
    ...openQuestions(state).map(
      ({ id, text, blocks, options }) =>
        `An answer to ${id}${blocks.length > 0 ? ` (${blocks.join(', ')})` : ''}: `
        + `${plain(text, 300)}${optionsText(options)}`,
    ),
    ...(live ? activities(state, null, zone).map((what) => `${what}.`) : []),
    ...Object.entries(state.quotas)
      .filter(([, until]) => until > state.lastAt)
      .map(([who, until]) => `${plain(who.replace(/\/$/, ''), 60)} is out of quota until ${clock(until, zone)}.`),
    ...waiting.slice(0, 10).map((task) => `${task.id} waits for ${openDependencies(state, task).join(', ')}.`),
    ...yourWord(state, liveness),
  ]
}

function openDependencies(state: RunState, { dependsOn }: TaskState): string[] {
  return dependsOn.filter((id) => {
    const task = state.tasks[id]
    return task === undefined || !isSatisfied(state, task)
  })
}

function yourWord(state: RunState, liveness: Liveness): string[] {
  if (state.status !== 'paused' || state.discardedAt !== null || openQuestions(state).length > 0) return []
  if (state.pause?.kind === 'limit') return ['A higher limit.']
  const { hint } = advice(state, liveness)
  return [`Your decision.${hint === null ? '' : ` ${plain(hint, 300)}`}`]
}

export function explanationText(
  { why: because, waits: waiting, next: then, commands }: Explanation,
  paint: Paint = noPaint,
  width: Width = null,
): string {
  const block = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [paint.strong(title), ...lines.map((line) => `  ${line}`), '']
  const text = (lines: readonly string[]): string[] => lines.map((line) => wrap(line, width, 4).join('\n    '))
  const steps = stepRows(commands, paint, width)
  return shortRuns(
    `${[
      ...block('Why it is in this state', text(because)),
      ...block('What it waits for', text(waiting)),
      ...block('What comes next', text(then)),
      ...block('What you can do', steps),
    ]
      .join('\n')
      .trimEnd()}\n`,
  )
}

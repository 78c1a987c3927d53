/** Why a run is in its state: its status, its progress, and the tasks and checks that explain it. */
import type { AntiPattern } from '../../model/convergence.ts'
import type { RunState, TaskState } from '../../model/state.ts'
import { attentionText } from './attention.ts'
import { failingText } from '../facts/failing-tests.ts'
import { duration, plural, times } from '../text/format.ts'
import { plain } from '../text/plain-text.ts'
import {
  elapsedMs,
  facts,
  passesText,
  reasonOf,
  redOnBase,
  rolledBackFor,
  shownStatus,
  tally,
  type ShownStatus,
} from '../facts/progress.ts'
import type { Liveness } from './liveness.ts'
import { sentence } from '../text/sentence.ts'

const are: Record<ShownStatus, string> = {
  new: 'has not begun',
  running: 'is running',
  paused: 'is paused',
  completed: 'is completed',
  failed: 'has failed',
  aborted: 'was aborted',
  crashed: 'has crashed: its status is running, but no process runs it',
}

const mostTasks = 20

export function explainWhy(state: RunState, liveness: Liveness): string[] {
  const reason = reasonOf(state)
  const notable = state.order.flatMap((id) => state.tasks[id] ?? []).filter(isNotable)
  const left = notable.length - mostTasks
  return [
    sentence(
      `${plain(state.run)} ${are[shownStatus(state, liveness)]}${reason === null ? '' : `: ${plain(reason, 400)}`}`,
    ),
    sentence(progress(state)),
    ...health(state, reason ?? ''),
    ...recovered(state),
    ...checks(state),
    ...attention(state),
    ...notable.slice(0, mostTasks).map((task) => taskText(task, state)),
    ...(left > 0 ? [`And ${plural(left, 'more task')} like these: looper ls ${plain(state.run)}`] : []),
    ...printed(state, notable),
    ...state.antiPatterns.flatMap(rollbackLines),
  ]
}

function rollbackLines({ tasks, evidence, why, kept }: AntiPattern): string[] {
  const because = evidence === '' ? `; ${plain(why, 200)}` : `: ${plain(evidence, 200)}`
  const left = kept === undefined ? [] : [sentence(`The old branch is kept as ${plain(kept, 160)}`)]
  return [sentence(`${rolledBackFor(tasks, evidence)}${because}`), ...left]
}

const printed = ({ run }: RunState, tasks: readonly TaskState[]): string[] =>
  tasks.some(({ failures }) => failures.at(-1)?.kind === 'check')
    ? [`What checks printed is in .looper/runs/${plain(run)}/checks/.`]
    : []

function progress(state: RunState): string {
  const { done, total } = tally(state)
  const effort = `${plural(state.turns, 'turn')} and ${duration(elapsedMs(state))}`
  if (total === 0) return `${passesText(state) || 'It has no tasks yet'}, after ${effort}`
  return `${done} of ${plural(total, 'task')} done in ${plural(state.wave, 'wave')}, ${effort}`
}

/** Reports progress only while the run can still make some. */
function health({ status, convergence: { health: now, evidence, before } }: RunState, shown: string): string[] {
  if (now === 'PROGRESSING') {
    return before === null || status === 'failed' || status === 'aborted'
      ? []
      : ['The monitor says PROGRESSING: it sees no trouble.']
  }
  const because = evidence === null || shown.includes(evidence) ? '' : `: ${plain(evidence, 300)}`
  return [sentence(`The monitor says ${now}${because}`)]
}

function recovered({ convergence: { recoveries } }: RunState): string[] {
  const tried = Object.entries(recoveries).map(([from, n]) => `${plural(n, 'recovery', 'recoveries')} from ${from}`)
  return tried.length > 0 ? [`Tried so far: ${tried.join(', ')}.`] : []
}

function checks(state: RunState): string[] {
  if (state.config.checks.length === 0) {
    const own = state.config.noChecksFound ? 'only checks of tasks verify anything' : 'nothing is verified'
    return [`No checks are configured: ${own}.`]
  }
  const red = redOnBase(state).map((check) => plain(check, 60))
  return [
    ...(red.length > 0 ? [`Red before the first task: ${red.join(', ')}. A task must not make that worse.`] : []),
    ...Object.values(state.flaky).map(({ check, runs, passed }) =>
      [
        `${plain(check, 60)} is flaky: it passed in ${passed} of ${plural(runs, 'run')} on the same tree.`,
        'When it fails again, no agent is asked to fix it.',
      ].join(' '),
    ),
  ]
}

function attention(state: RunState): string[] {
  const text = attentionText(state)
  return text === '' ? [] : [`To review: ${text}.`]
}

const isNotable = ({ status, failures, falls = 0 }: TaskState): boolean =>
  status === 'failed'
  || status === 'blocked'
  || falls > 0
  || (status !== 'done' && status !== 'split' && failures.length > 0)

function taskText(task: TaskState, state: RunState): string {
  const last = task.failures.at(-1)
  const tests = failingText(last?.failing ?? [], state)
  const status = task.status === 'cancelled' ? 'skipped' : task.status
  return facts(
    `${task.id} ${plain(task.title, 80)}: ${status} after ${plural(task.attempts, 'attempt')}`,
    (task.falls ?? 0) > 0 && `undone ${times(task.falls ?? 0)} since it was first done`,
    plain(task.reason ?? (last ? `last failure: ${last.summary}` : ''), 240),
    tests !== '' && plain(tests, 240),
  )
}

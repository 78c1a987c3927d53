/** Live lines about a task: its attempts, checks and verdict. */
import type { CheckRecord, Event } from '../../model/event.ts'
import type { RunState } from '../../model/state.ts'
import type { Evidence } from '../../model/task.ts'
import { failureLine } from '../../model/failure-lines.ts'
import { duration, plural, spent } from '../text/format.ts'
import { failingOf, failingText } from '../facts/failing-tests.ts'
import type { Paint } from '../text/paint.ts'
import { plain } from '../text/plain-text.ts'
import { blockedText, facts, landedNothing, paintedMark } from '../facts/progress.ts'
import { withErrorWords } from '../facts/error-words.ts'
import { scoreWords } from '../facts/verdict-words.ts'
import { attemptName } from '../facts/work-name.ts'

export const startedLine = (event: Event<'task.started'>, state: RunState, paint: Paint): string =>
  `${paintedMark('doing', paint)} ${facts(
    `${event.task} ${plain(state.tasks[event.task]?.title ?? '', 72)}`.trim(),
    `attempt ${event.attempt}`,
    plain(event.agent, 30),
    event.racer !== undefined && 'in a race',
  )}`

export function finishedLine(event: Event<'task.finished'>, state: RunState, paint: Paint): string {
  const task = state.tasks[event.task]
  const mark = paintedMark(event.status, paint)
  const cost = task === undefined ? '' : facts(task.tookMs !== undefined && duration(task.tookMs), spent(task.usage))
  const why = event.reason === null ? '' : `: ${plain(withErrorWords(event.reason), 140)}`
  const parts = task === undefined || task.children.length === 0 ? '' : ` into ${task.children.join(', ')}`
  const { status, commit, by } = event
  const isNothing = by === undefined && landedNothing({ status, commit, attempts: task?.attempts ?? 0 }, state)
  const nothing = event.unchanged ? paint.warn('changed nothing') : isNothing && 'nothing left to commit'
  switch (event.status) {
    case 'done':
      return `${mark} ${facts(`${event.task} done`, evidenceText(event.evidence, paint), nothing, cost)}`
    case 'failed':
      return `${mark} ${facts(`${event.task} failed${why}`, cost)}`
    case 'blocked':
      return `${mark} ${event.task} ${blockedText(event)}${why}`
    case 'split':
      return `${mark} ${event.task} split${parts}${why}`
    case 'cancelled':
      return `${mark} ${event.task} skipped${why}`
  }
}

function evidenceText(evidence: readonly Evidence[], paint: Paint): string {
  const worse = evidence.filter(({ noWorse }) => noWorse).length
  const green = evidence.length - worse
  return facts(
    evidence.length === 0 && paint.warn('unverified'),
    green > 0 && `${plural(green, 'check')} green`,
    worse > 0 && paint.warn(`${plural(worse, 'check')} red, no worse than before`),
  )
}

/** Checks that failed before the first task. */
export function baselineLine({ checks, remembered }: Event<'baseline.taken'>, paint: Paint): string {
  const names = (list: typeof checks): string => list.map(({ check }) => plain(check, 48)).join(', ')
  const flaky = checks.filter((entry) => entry.flaky)
  const red = checks.filter(({ passed }) => !passed)
  if (red.length + flaky.length === 0) {
    const passes = `${names(checks)} ${checks.length === 1 ? 'passes' : 'pass'}`
    return `${paint.good('✓')} ${facts('base', passes, remembered && 'as an earlier run saw on the same files')}`
  }
  const unable = red.filter(({ cannotRun }) => cannotRun !== undefined)
  const failing = red.filter(({ cannotRun }) => cannotRun === undefined)
  return `${paint.warn('!')} ${facts(
    'base',
    unable.length > 0 && `cannot run: ${names(unable)}`,
    failing.length > 0 && `already red: ${names(failing)}`,
    flaky.length > 0 && `flaky: ${names(flaky)}`,
    // Where no test is named, an equal exit code does not show that the failure is the same.
    checks.every(({ passed, failing: tests }) => !passed && (tests ?? []).length === 0)
      && 'only a check that turns green can prove a task',
  )}`
}

export function checkLine(check: CheckRecord, state: RunState, paint: Paint): string {
  const whose = check.task === null ? stageOf(state) : attemptName(check.task, check.attempt, state)
  const reason = check.task === null ? '' : check.merged ? ' (merge)' : ' (task)'
  const name = facts(whose, `check ${plain(check.check, 48)}${reason}`)
  const note = check.note === null ? '' : plain(check.note, 80)
  const tests = check.tests === null ? '' : plural(check.tests, 'test')
  if (!check.usable) return `  ${paint.faint('–')} ${facts(name, note || 'does not count')}`
  if (check.passed) return `  ${paint.good('✓')} ${facts(name, tests, note, duration(check.durationMs))}`
  if (check.excuse !== undefined)
    return `  ${paint.warn('!')} ${facts(name, excuses[check.excuse], tests, duration(check.durationMs))}`
  const why = note || (check.exitCode === null ? 'no exit code' : `exit ${check.exitCode}`)
  const what = failingText(failingOf(check, state), state) || errorLine(check)
  const failed = `${name} failed (${why})${what === '' ? '' : `: ${what}`}`
  return `  ${paint.bad('✗')} ${facts(failed, tests, duration(check.durationMs))}`
}

/** The line of the output that says what is wrong; empty when the note says it or the output is held out. */
const errorLine = ({ note, hidden, tail }: CheckRecord): string =>
  note !== null || hidden ? '' : plain(failureLine(tail), 120)

/** The stage that checks without a task belong to. */
const stageOf = ({ stage, loop }: RunState): string =>
  stage === 'loop' ? `iteration ${(loop?.iterations ?? 0) + 1}` : 'gate'

const excuses: Record<NonNullable<CheckRecord['excuse']>, string> = {
  flaky: 'red, but it is flaky',
  'same-as-base': 'red as on the base',
  'no-worse': 'no worse than the base',
}

export function fixingLine(event: Event<'attempt.fixing'>, state: RunState, paint: Paint): string {
  const limit = state.config.limits.fixCycles
  const fix = limit === null ? `fix ${event.fix}` : `fix ${event.fix} of ${limit}`
  const name = attemptName(event.task, event.attempt, state)
  return `  ${paint.warn('↻')} ${facts(name, fix, plain(withErrorWords(event.failure.summary), longestFailure))}`
}

/** Generous, because the point of a long summary is at its end. */
const longestFailure = 240

export function failedLine(event: Event<'attempt.failed'>, state: RunState, paint: Paint): string {
  // Derived from the event, because the state may be ahead of it. In a race, attempt numbers do not give the number
  // left.
  const left = Object.keys(state.config.race).length > 0 ? 0 : (state.config.limits.attempts ?? 0) - event.attempt
  const again = left > 0 ? `trying again (${left} left)` : 'trying again'
  const next = {
    retry: event.failure.kind === 'conflict' ? 'again, on the new run branch' : again,
    split: 'to be split',
    fail: setAside(state),
    none: 'the others continue',
  }
  const what = `attempt ${event.attempt} failed: ${plain(withErrorWords(event.failure.summary), longestFailure)}`
  const early = event.repeated !== undefined && endedEarly[event.repeated]
  return `  ${paint.bad('✗')} ${facts(event.task, what, early, next[event.next])}`
}

/** Why no fix follows although some are left. */
const endedEarly: Record<NonNullable<Event<'attempt.failed'>['repeated']>, string> = {
  failure: 'no further fix, because the last ones did not change it',
  tree: 'no fix, because the attempt before left the same files',
}

/** A failed task may be tried again when the other tasks have ended, as long as goal iterations are left. */
const setAside = ({ goalIteration, config: { limits } }: RunState): string =>
  limits.goalIterations === null || goalIteration < limits.goalIterations
    ? 'set aside; it may be tried again at the end'
    : 'no attempts left'

/** A judge alone verifies nothing: only a check that Looper saw pass on the final tree does. */
const goalVerdict = (approved: boolean, { gate: { checks } }: RunState): string =>
  approved ? (checks.some(({ passed }) => passed) ? 'goal verified' : 'goal judged met, unverified') : 'goal not met'

/** A verdict on the plan appears as the plan's acceptance or rejection. */
export function verdictLine(
  { subject, verdict }: Event<'verdict.given'>,
  state: RunState,
  paint: Paint,
): string | null {
  if (subject.kind === 'plan') return null
  const words = plain(verdict.approved ? verdict.summary : verdict.feedback || verdict.summary, 100)
  const score = scoreWords(verdict)
  const mark = verdict.approved ? paint.good('✓') : paint.bad('✗')
  if (subject.kind === 'wave')
    return `${mark} ${facts(`wave ${subject.wave} ${verdict.approved ? 'approved' : 'reviewed'}`, score, words)}`
  if (subject.kind === 'goal') return `${mark} ${facts(goalVerdict(verdict.approved, state), score, words)}`
  const said = `${verdict.approved ? '' : 'not '}accepted by the supervisor`
  return `  ${mark} ${facts(attemptName(subject.task, subject.attempt, state), said, score, words)}`
}

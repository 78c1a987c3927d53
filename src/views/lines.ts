/** The lines of `looper run`: starts, and ends with their evidence, time and cost. Other events get no line. */
import type { Event } from '../model/event.ts'
import { iterationsOf } from '../model/loop.ts'
import type { RunState } from '../model/state.ts'
import { attemptIn, isStep } from '../model/work-id.ts'
import { duration, plural, spent } from './format.ts'
import { newestAnswer } from './ledger.ts'
import { nameRun } from './name-run.ts'
import { outsideText } from './outside-text.ts'
import { noPaint, type Paint } from './paint.ts'
import { permissionText } from './permission-text.ts'
import { plain } from './plain-text.ts'
import {
  appliedText,
  elapsedMs,
  facts,
  isUnverified,
  optionsText,
  paintedMark,
  passesText,
  placeText,
  tally,
} from './progress.ts'
import {
  baselineLine,
  checkLine,
  failedLine,
  finishedLine,
  fixingLine,
  startedLine,
  verdictLine,
} from './task-lines.ts'
import { lostLine, outcomeLine, workLine } from './work-lines.ts'

/** `state` is the one after the event. Null: the event gets no line. */
export function lineFor(event: Event, state: RunState, paint: Paint = noPaint): string | null {
  switch (event.type) {
    case 'run.started':
      return `${paint.busy('▶')} ${facts(event.run, `branch ${event.branch}`)}`
    case 'run.resumed':
      return `${paint.busy('▶')} ${facts(`${state.run} resumed`, limitsText(event.limits))}`
    case 'run.forked':
      return `${paint.busy('⑂')} ${plain(`${state.run} forked from ${event.from.run} at event ${event.from.seq}`, 200)}`
    case 'run.paused':
      return pausedLine(event, state, paint)
    case 'run.ended':
      return endedLine(event, state, paint)
    case 'run.applied':
      return `${paint.good('✓')} ${plain(appliedText(event), 200)}`
    case 'run.discarded':
      return paint.faint('– discarded')
    case 'stage.entered':
      return event.stage === 'gate' ? `${paint.busy('●')} gate: checking the whole result` : null
    case 'stop.requested':
      return paint.faint(`· ${event.how} asked for`)
    case 'clock.jumped':
      return paint.faint(`· the clock jumped ahead by ${duration(event.ms)}; this does not count as running time`)
    case 'limits.changed':
      return paint.faint(`· limits: ${limitsText(event.limits)}`)
    case 'plan.accepted':
      return acceptedLine(event, state, paint)
    case 'plan.rejected':
      return `${paint.warn('↻')} ${facts(`plan not accepted${scoreText(event.score)}`, plain(event.feedback, 100))}`
    case 'task.added':
      // A backlog can have thousands of tasks: the line about the poll counts them.
      return event.origin === 'source' && !event.task.allows
        ? null
        : `  ${paintedMark('todo', paint)} ${facts(
            `${event.task.id} ${plain(event.task.title, 72)}`,
            after(event.task.dependsOn),
            permissionText({ ...event.task, origin: event.origin }),
          )}`
    case 'task.reopened':
      return event.tasks.length === 0
        ? null
        : `${paint.warn('↻')} ${event.tasks.join(', ')} reopened (${reopened[event.why]})`
    case 'task.started':
      return startedLine(event, state, paint)
    case 'task.finished':
      return finishedLine(event, state, paint)
    case 'attempt.fixing':
      return fixingLine(event, state, paint)
    case 'attempt.failed':
      return failedLine(event, state, paint)
    case 'baseline.taken':
      return baselineLine(event, paint)
    case 'check.finished':
      return checkLine(event, state, paint)
    case 'verdict.given':
      return verdictLine(event, state, paint)
    case 'work.started':
      return workLine(event.work, event.at, paint)
    case 'work.finished':
      return outcomeLine(event, state, paint)
    case 'work.lost':
      return lostLine(event, state, paint)
    case 'finding.raised':
      return findingLine(event, paint)
    case 'decision.recorded':
      return decisionLine(event)
    case 'question.asked':
      return askedLine(event, state, paint)
    case 'question.answered':
      return `  ${facts(
        `${event.question} answered${event.by === 'default' ? ' by default' : ''}: ${plain(event.answer, 100)}`,
        event.allows && `allows ${plain(event.allows.join(', '), 160)}`,
      )}`
    case 'task.edited':
      return `  ${paint.faint(`· ${event.task} was changed in the backlog (${Object.keys(event.edit).join(', ')})`)}`
    case 'iteration.finished':
      return iterationLine(event, state, paint)
    case 'loop.finished':
      return `${paint.good('✓')} ${facts(
        `stage ${plain(event.name, 40)} complete`,
        plural(event.iterations, 'iteration'),
        plain(event.why, 120),
      )}`
    case 'source.looked':
      return lookedLine(event, state, paint)
    case 'backlog.reviewed':
      return `${paint.good('✓')} ${facts(
        'backlog reviewed',
        event.added === 0 ? 'nothing is missing' : `${plural(event.added, 'task')} added`,
      )}`
    case 'health.changed':
      return healthLine(event, paint)
    case 'race.decided':
      return `  ${paint.good('✓')} ${facts(
        event.task,
        `attempt ${event.winner} won the race`,
        `${plural(event.losers.length, 'other')} kept aside`,
      )}`
    case 'proof.given':
      return event.proved
        ? null
        : `  ${paint.warn('!')} ${facts(
            event.task,
            `no proof: ${plain(event.why ?? 'no check shows that its new tests fail without its change', 100)}`,
            plain(event.files.join(', '), 80),
          )}`
    case 'recovery.begun':
      return `${paint.warn('↻')} ${facts(
        `recovery ${event.n} from ${event.from}`,
        event.tasks.length > 0 && `another approach to ${event.tasks.join(', ')}`,
      )}`
    case 'task.undone':
      return `${paint.warn('↩')} ${facts(`${event.task} will be done again`, plain(event.failure.summary, 140))}`
    case 'checkpoint.made':
      return paint.faint(`· checkpoint ${event.checkpoint.id} at ${event.checkpoint.commit.slice(0, 8)}`)
    case 'check.flaky':
      return `${paint.warn('!')} ${facts(
        `check ${plain(event.check, 48)} is flaky`,
        `passed in ${event.passed} of ${plural(event.runs, 'run')}`,
      )}`
    case 'rollback.withdrawn':
      return paint.warn(`! not rolled back · ${plain(event.why, 140)}`)
    case 'rolled.back':
      return rolledBackLine(event, state, paint)
    case 'rollback.requested':
      return paint.faint(`· rollback to ${placeText(event.to, event.checkpoint, state)} asked for`)
    case 'outside.changed':
      return `${paint.warn('!')} ${outsideText(event)}`
    case 'branch.audited':
    case 'wave.closed':
    case 'budget.spent':
      return null
  }
}

const askedLine = (
  { question: { id, text, options } }: Event<'question.asked'>,
  { run }: RunState,
  paint: Paint,
): string =>
  `${paint.warn('?')} ${id} ${plain(text, 200)}${optionsText(options)}\n  looper answer ${id} "…" --run ${run}`

/** A finding that blocks an attempt appears in the line of the fix, or of the attempt's end. */
function findingLine({ task, severity, title, detail, origin }: Event<'finding.raised'>, paint: Paint): string | null {
  if (severity === 'BLOCKER' && attemptIn(origin) !== null && isStep(origin, 'inspect')) return null
  const [first = '', ...more] = detail.split('\n')
  const what = first === '' ? '' : `: ${plain(first, 160)}${more.length > 0 ? ` and ${more.length} more` : ''}`
  return `  ${paint.warn('⚑')} ${facts(task, `${severity} ${plain(title, 100)}${what}`)}`
}

const reopened: Record<Event<'task.reopened'>['why'], string> = {
  'goal-iteration': 'another goal iteration',
  resumed: 'the run was resumed',
  answered: 'its question was answered',
  asked: 'you asked',
  changed: 'something has changed',
  cooldown: 'its cooldown is over',
  source: 'it was reopened in the backlog',
}

function decisionLine({ decision: { task, title, choice } }: Event<'decision.recorded'>): string {
  return `  ◆ ${facts(task, `decided: ${plain(title, 60)} → ${plain(choice, 60)}`)}`
}

function healthLine({ health, evidence }: Event<'health.changed'>, paint: Paint): string {
  if (health === 'PROGRESSING') return `${paint.good('●')} ${facts(health, 'the run makes progress again')}`
  const dot = health === 'BLOCKED' ? paint.warn('●') : paint.bad('●')
  return `${dot} ${facts(health, evidence !== null && plain(evidence, 200))}`
}

function rolledBackLine(
  { to, checkpoint, tasks, kept, antiPattern }: Event<'rolled.back'>,
  state: RunState,
  paint: Paint,
): string {
  return `${paint.warn('↩')} ${facts(
    `rolled back to ${placeText(to, checkpoint, state)}`,
    tasks.length > 0 && `${tasks.join(', ')} to be done again`,
    plain(antiPattern.evidence || antiPattern.why, 140),
    kept !== null && `the old branch is kept as ${plain(kept, 120)}`,
  )}`
}

function iterationLine(event: Event<'iteration.finished'>, { pipeline }: RunState, paint: Paint): string {
  const stage = pipeline?.stages[event.stage]
  const place = `${plain(event.name, 40)} ${event.iteration}${stage ? `/${iterationsOf(stage)}` : ''}`
  const mark =
    event.status === 'failed'
      ? paint.bad('✗')
      : event.failure || event.status === 'blocked'
        ? paint.warn('!')
        : paint.good('✓')
  return `${mark} ${facts(
    place,
    event.status !== 'done' && event.status,
    plain(event.summary, 120),
    event.changed > 0 && plural(event.changed, 'file'),
    event.plateau && 'plateau',
    event.failure && plain(event.failure.summary, 100),
  )}`
}

/** The first poll reports the number of tasks; later ones report only problems. */
function lookedLine({ look, problems, changes }: Event<'source.looked'>, state: RunState, paint: Paint): string | null {
  if (problems.length > 0) return `${paint.warn('!')} the backlog cannot be read: ${plain(problems[0] ?? '', 160)}`
  if (look > 0 && changes > 0) return `${paint.busy('●')} backlog: ${plural(changes, 'change')} taken in`
  return look > 0 || state.order.length === 0 ? null : readLine(state, paint)
}

function readLine({ counts, order, config, pipeline }: RunState, paint: Paint): string {
  const stage = pipeline?.stages.map(({ completion }) => completion).find(({ kind }) => kind === 'tasks-empty')
  const source = config.source === 'todo-file' && stage?.kind === 'tasks-empty' ? stage.source : config.source
  const parts = (['doing', 'todo', 'blocked', 'done', 'cancelled'] as const)
    .filter((status) => counts[status] > 0)
    .map((status) => `${counts[status]} ${status}`)
  const place =
    source === 'todo-file' ? plain(config.backlog, 80) : source === 'beads' ? 'beads' : 'the task list of Claude Code'
  return `${paint.busy('●')} ${facts(`${plural(order.length, 'task')} read from ${place}`, parts.join(', '))}`
}

const after = (ids: readonly string[]): string => (ids.length === 0 ? '' : `after ${ids.join(', ')}`)
const scoreText = (score: number | null): string => (score === null ? '' : ` (score ${score})`)
const limitsText = (limits: object): string =>
  Object.entries(limits)
    .map(([name, value]) => `${name} ${value ?? 'unlimited'}`)
    .join(', ')

function pausedLine({ reason }: Event<'run.paused'>, { run }: RunState, paint: Paint): string {
  const hint = reason.hint === '' ? '' : `\n  ${plain(nameRun(reason.hint, run), 300)}`
  return `${paint.warn('⏸')} paused: ${plain(reason.detail, 200)}${hint}`
}

function endedLine({ status, reason }: Event<'run.ended'>, state: RunState, paint: Paint): string {
  const { done, total } = tally(state)
  const unverified = status === 'completed' && isUnverified({ ...state, status, pause: null })
  const mark = unverified ? paint.warn('!') : status === 'completed' ? paint.good('✓') : paint.bad('✗')
  const tasks = facts(
    (state.loop === null || total > 0) && `${done} of ${plural(total, 'task')} done`,
    passesText(state),
  )
  const why = reason === null ? '' : `: ${plain(reason, 200)}`
  const numbers = facts(tasks, plural(state.turns, 'turn'), duration(elapsedMs(state)), spent(state.usage))
  return `${mark} ${facts(`${status}${why}`, unverified && 'unverified')}\n  ${numbers}`
}

const whys: Record<Event<'plan.accepted'>['why'], string> = {
  approved: '',
  unreviewed: 'without review',
  skipped: 'although not approved: revisions are used up',
  lowered: 'at the lowered threshold',
}

function acceptedLine(event: Event<'plan.accepted'>, state: RunState, paint: Paint): string | null {
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

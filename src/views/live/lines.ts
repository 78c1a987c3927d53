/** The lines of `looper run`: starts, and ends with their evidence, time and cost. Other events get no line. */
import { andMore } from '../../model/and-more.ts'
import { onlyTests } from '../../model/only-tests.ts'
import type { Event } from '../../model/event.ts'
import { maxPassesOf } from '../../model/loop.ts'
import { rollbackName } from '../../model/rollback-name.ts'
import type { RunState } from '../../model/state.ts'
import { attemptIn, isStep } from '../../model/work-id.ts'
import { duration, plural, utc, type Zone } from '../text/format.ts'
import { outsideText } from '../facts/outside-text.ts'
import { noPaint, type Paint } from '../text/paint.ts'
import { limitsText } from '../facts/limit-words.ts'
import { permissionText } from '../facts/permission-text.ts'
import { plain } from '../text/plain-text.ts'
import { appliedText, facts, optionsText, paintedMark } from '../facts/progress.ts'
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
import { healthLine, rolledBackLine, pausedLine, endedLine } from './run-lines.ts'
import { reopenedLine } from './reopened-line.ts'
import { polledLine, scoreText, acceptedLine } from './plan-lines.ts'

/** `state` is the one after the event. Null: the event gets no line. */
export function lineFor(event: Event, state: RunState, paint: Paint = noPaint, zone: Zone = utc): string | null {
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
      return paint.faint(event.why === 'hangup' ? '· the terminal was closed: stopping' : `· ${event.how} asked for`)
    case 'clock.jumped':
      return paint.faint(`· the clock jumped ahead by ${duration(event.ms)}; this does not count as running time`)
    case 'limits.changed':
      return paint.faint(`· changed: ${limitsText(event.limits)}`)
    case 'plan.accepted':
      return acceptedLine(event, state, paint)
    case 'plan.rejected':
      // Without a score no plan was judged: the planner has asked, and has its answers.
      return event.score === null
        ? `${paint.warn('↻')} planning again · its questions are answered`
        : `${paint.warn('↻')} ${facts(`plan not accepted${scoreText(event.score)}`, plain(event.feedback, 100))}`
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
      return reopenedLine(event, state, paint)
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
      return workLine(event.work, event.at, paint, zone)
    case 'work.finished':
      return outcomeLine(event, state, paint, zone)
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
      return passLine(event, state, paint)
    case 'loop.finished':
      return `${paint.good('✓')} ${facts(
        `stage ${plain(event.name, 40)} complete`,
        plural(event.iterations, 'iteration'),
        plain(event.why, 120),
      )}`
    case 'source.polled':
      return polledLine(event, state, paint)
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
    case 'proof.given': {
      if (event.proved) return null
      const files = plain(event.files.join(', '), 80)
      if (event.why === onlyTests) return `  · ${facts(event.task, onlyTests, files)}`
      const why = event.why ?? 'no check shows that its new tests fail without its change'
      return `  ${paint.warn('!')} ${facts(event.task, `no proof: ${plain(why, 100)}`, files)}`
    }
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
      return paint.faint(`· rollback to ${rollbackName(event, state)} asked for`)
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
  const what = first === '' ? '' : `: ${plain(first, 160)}${andMore(more.length)}`
  return `  ${paint.warn('⚑')} ${facts(task, `${severity} ${plain(title, 100)}${what}`)}`
}

function decisionLine({ decision: { task, title, choice } }: Event<'decision.recorded'>): string {
  return `  ◆ ${facts(task, `decided: ${plain(title, 60)} → ${plain(choice, 60)}`)}`
}

function passLine(event: Event<'iteration.finished'>, { pipeline }: RunState, paint: Paint): string {
  const stage = pipeline?.stages[event.stage]
  const place = `${plain(event.name, 40)} ${event.iteration}${stage ? `/${maxPassesOf(stage)}` : ''}`
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

const after = (ids: readonly string[]): string => (ids.length === 0 ? '' : `after ${ids.join(', ')}`)

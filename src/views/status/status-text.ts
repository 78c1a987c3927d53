/** `looper status` for people: the run's status, its evidence, and the next steps. */
import type { QuestionState, RunState } from '../../model/state.ts'
import { msBetween } from '../../model/time.ts'
import { activities } from '../live/activity.ts'
import { attentionText } from './attention.ts'
import { age, clock, duration, plural, times, utc, type Zone } from '../text/format.ts'
import { taskLines } from './ls.ts'
import { advice, stepRows, answeredText } from './next-steps.ts'
import { withErrorWords } from '../facts/error-words.ts'
import { leftText } from './left-behind.ts'
import { outsideLine } from '../facts/outside-text.ts'
import { noPaint, type Paint } from '../text/paint.ts'
import { plain } from '../text/plain-text.ts'
import { quotaText } from './quota-text.ts'
import {
  costText,
  elapsedMs,
  facts,
  handedOver,
  openQuestions,
  reasonOf,
  redOnBase,
  shownStatus,
  skippedText,
  stageText,
  tally,
  unknownRepairs,
} from '../facts/progress.ts'
import type { Liveness } from './liveness.ts'
import { shortRuns } from '../text/name-run.ts'
import { namedRows, wrapLines, type Width } from '../text/rows.ts'
import { provenStatus } from './runs.ts'
import { brokenSession } from './session-text.ts'

export interface StatusTextOptions extends Liveness {
  /** ISO time. */
  now: string
  width?: Width
  zone?: Zone
  paint?: Paint
}

export function statusText(state: RunState, options: StatusTextOptions): string {
  const paint = options.paint ?? noPaint
  const blocks = [
    brokenLines(state, options),
    head(state, options, paint),
    taskLines(state, paint, options),
    openQuestions(state).flatMap((question) => questionLines(question, state.run, paint)),
    stepLines(state, options, paint),
  ]
  const text = blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')
  return `${wrapLines(shortRuns(text), options.width ?? null)}\n`
}

function head(state: RunState, options: StatusTextOptions, paint: Paint): string[] {
  const status = shownStatus(state, options)
  const { zone = utc } = options
  const until = options.live ? options.now : state.lastAt
  const { done, total } = tally(state)
  const doing = status === 'running' ? activities(state, options.live ? options.now : null, zone).join(' · ') : ''
  const fields: [string, string][] = [
    [
      'state',
      facts(
        provenStatus(state, options, paint),
        plain(answeredText(state) ?? withErrorWords(reasonOf(state) ?? ''), 200),
        plain(handedOver(state), 200),
      ),
    ],
    ['goal', plain(state.goal, 200)],
    [
      'stage',
      facts(
        stageText(state),
        total > 0 && `${done} of ${plural(total, 'task')} done`,
        skippedText(state),
        back(state),
        again(state),
      ),
    ],
    ['health', healthText(state, paint)],
    ['checks', checksText(state, paint)],
    ['notice', paint.warn(attentionText(state))],
    ['kept', keptText(state)],
    ['outside', paint.warn(outsideLine(state))],
    ['now', doing],
    ['time', facts(duration(elapsedMs(state, until)), `started ${clock(state.startedAt, zone)}`, ended(state, zone))],
    ['session', plain(state.session ?? '', 60)],
    ['process', processText(options, paint)],
    ['agents', options.left ? paint.warn(leftText(options.left)) : ''],
    ['spent', facts(costText(state), plural(state.turns, 'turn'))],
    ['quota', quotaText(state, zone)],
    ['branch', state.discardedAt === null ? state.branch : ''],
  ]
  return [paint.strong(state.run), ...namedRows(fields, paint, options.width ?? null)]
}

/** Empty while the run is healthy. */
function healthText(state: RunState, paint: Paint): string {
  const { health, evidence } = state.convergence
  if (health === 'PROGRESSING' || (health === 'BLOCKED' && isUnblocked(state))) return ''
  const isShown = evidence === null || (reasonOf(state) ?? '').includes(evidence)
  return facts(health === 'BLOCKED' ? paint.warn(health) : paint.bad(health), isShown ? '' : plain(evidence, 200))
}

/** The monitor judges only at the end of a wave. Until then, an answer and a resume have made its verdict untrue. */
const isUnblocked = (state: RunState): boolean => answeredText(state) !== null || state.counts.blocked === 0

function checksText(state: RunState, paint: Paint): string {
  const names = (list: readonly string[]): string => plain(list.join(', '), 80)
  const [red, flaky, unknown] = [redOnBase(state), Object.keys(state.flaky), unknownRepairs(state)]
  return facts(
    red.length > 0 && `red before the first task: ${names(red)}`,
    flaky.length > 0 && paint.warn(`flaky: ${names(flaky)}`),
    unknown.length > 0 && paint.warn(`no such check to repair: ${names(unknown)}`),
  )
}

const mostKept = 5

/** The checkpoints that `looper rollback` can target. */
function keptText({ checkpoints }: RunState): string {
  const newest = checkpoints
    .slice(-mostKept)
    .map(({ id }) => id)
    .join(', ')
  const older = checkpoints.length - mostKept
  if (newest === '') return ''
  const noun = checkpoints.length === 1 ? 'checkpoint' : 'checkpoints'
  return `${noun} ${newest}${older > 0 ? ` and ${older} before` : ''}`
}

const lateMs = 60_000

/** A late heartbeat is shown but proves nothing: the process may be slow or stopped, or its machine slept. */
function processText({ live, holder, now }: StatusTextOptions, paint: Paint): string {
  if (!live || !holder) return ''
  const ms = msBetween(holder.heartbeatAt, now)
  const beat = `heartbeat ${age(ms)} ago`
  return facts(`pid ${holder.pid}`, ms > lateMs ? paint.warn(`${beat}, which is late`) : beat)
}

/** An interrupted session is shown first, with the text of the refusal to start it anew. */
function brokenLines(state: RunState, options: StatusTextOptions): string[] {
  const status = shownStatus(state, options)
  if (state.session === null || (status !== 'crashed' && status !== 'failed') || options.live) return []
  const { what, lines, next } = brokenSession(state, plain(state.session, 60))
  return [what, ...lines, next]
}

const back = ({ antiPatterns }: RunState): string =>
  antiPatterns.length > 0 ? `rolled back ${times(antiPatterns.length)}` : ''
const again = ({ goalIteration }: RunState): string => (goalIteration > 0 ? `goal iteration ${goalIteration}` : '')
const ended = ({ endedAt }: RunState, zone: Zone): string => (endedAt === null ? '' : `ended ${clock(endedAt, zone)}`)

/** A question with its options, and how to answer it. */
export function questionLines(question: QuestionState, run: string, paint: Paint): string[] {
  const options = question.options.map((option) => plain(option, 60)).join(' | ')
  return [
    `${paint.warn(`? ${question.id}`)} ${plain(question.text, 300)}`,
    ...(question.blocks.length === 0 ? [] : [`     holds up: ${question.blocks.join(', ')}`]),
    ...(options === '' ? [] : [`     options:  ${options}`]),
    ...(question.default === null ? [] : [`     default:  ${plain(question.default, 60)}`]),
    `     answer:   looper answer ${question.id} "…" --run ${run}`,
  ]
}

function stepLines(state: RunState, options: StatusTextOptions, paint: Paint): string[] {
  const { hint, steps } = advice(state, options)
  const others = steps.filter(({ command }) => !command.startsWith('looper answer'))
  return [
    'next',
    ...(hint === null ? [] : [`  ${plain(hint, 200)}`]),
    ...stepRows(others, paint, options.width).map((row) => `  ${row}`),
  ]
}

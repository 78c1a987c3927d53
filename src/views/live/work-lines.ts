/** Live lines about work: only turns that no other line announces, and errors. */
import type { AgentError } from '../../model/agent-error.ts'
import type { Event } from '../../model/event.ts'
import { isInterruption } from '../../model/interrupted.ts'
import { purposes } from '../../model/purposes.ts'
import type { LedgerEntry, RunState } from '../../model/state.ts'
import { msBetween } from '../../model/time.ts'
import { isDeadline, type IntegrateOutcome, type TurnWork, type Work } from '../../model/work.ts'
import { attemptIn, isTimeLimit, ownerOf, readWorkId } from '../../model/work-id.ts'
import { clock, duration, type Zone } from '../text/format.ts'
import type { Paint } from '../text/paint.ts'
import { plain } from '../text/plain-text.ts'
import { facts } from '../facts/progress.ts'
import { errorWords } from '../facts/error-words.ts'
import { attemptName, isOver, stoppedText, workName } from '../facts/work-name.ts'

type Conflict = Extract<IntegrateOutcome, { status: 'conflict' }>

export function workLine(work: Work, at: string, paint: Paint, zone: Zone): string | null {
  if (isDeadline(work)) return null
  if (work.kind === 'wait')
    return `${paint.warn('⏸')} ${facts(`waiting until ${clock(work.until, zone)}`, shortWait(at, work.until))}`
  return work.kind === 'turn' ? turnLine(work, paint) : null
}

/** The remaining time; empty for an hour or more, because the line shows the clock time anyway. */
function shortWait(from: string, until: string): string {
  const ms = msBetween(from, until)
  return ms < 3_600_000 ? `${duration(ms)} left` : ''
}

/** Reasons of work that was stopped on purpose, which is no error. */
const onPurpose = new Set(['cancelled', 'not wanted any more', 'aborted'])

export function lostLine({ id, why }: Event<'work.lost'>, state: RunState, paint: Paint): string | null {
  // The losers of a race get no line, because the end of the race has one.
  if (isTimeLimit(id) || isOver(id, state)) return null
  const name = workName(id, state)
  if (isInterruption(why)) return `  ${paint.warn('!')} ${facts(name, 'interrupted, done again')}`
  if (!onPurpose.has(why)) return `  ${paint.warn('!')} ${facts(name, `lost: ${plain(why, 100)}`)}`
  const isKept = state.request === 'stop' || state.request === 'pause' || state.status === 'paused'
  const stopped = isKept ? `${stoppedText(id, state)}; resume repeats this step` : stoppedText(id, state)
  return `  ${paint.faint(`· ${overtakenText(id, state) ?? stopped}`)}`
}

/** A check ends without a request when the branch has moved: it would judge a tree that cannot land. */
function overtakenText(id: string, state: RunState): string | null {
  const [attempt, landed] = [attemptIn(id), state.landings.at(-1)]
  const isOvertaken = state.request === null && state.status === 'running' && isCheck(id)
  return attempt === null || landed === undefined || !isOvertaken
    ? null
    : `${attemptName(ownerOf(id), attempt, state)} is merged and checked again: ${landed.task} has landed`
}

const isCheck = (id: string): boolean => readWorkId(id).steps.some(({ name }) => name === 'check')

/** Attempts and fixes have their own lines; testing and verifying appear with their results. */
function turnLine(work: TurnWork, paint: Paint): string | null {
  const again = work.errors.length > 0 && 'asked again: the answer was invalid'
  const line = (what: string): string => `${paint.busy('●')} ${facts(what, plain(work.agent, 30), again)}`
  if (work.purpose === 'iterate' && work.task === null) return line(passText(work))
  const { announced, label } = purposes[work.purpose]
  return announced ? line(`${label} ${work.task ?? ''}`.trim()) : null
}

const passText = ({ pass, within }: TurnWork): string => `${plain(within?.stage ?? 'loop', 40)} ${pass ?? ''}`.trim()

export function outcomeLine(
  { id, outcome }: Event<'work.finished'>,
  state: RunState,
  paint: Paint,
  zone: Zone,
): string | null {
  const name = workName(id, state)
  const trouble = (what: string): string => `  ${paint.warn('!')} ${facts(name, what)}`
  switch (outcome.kind) {
    case 'turn':
      if (outcome.status === 'error') return trouble(errorText(outcome.error, zone))
      return outcome.status === 'invalid'
        ? trouble(`gave an invalid answer: ${plain(outcome.errors.join('; '), 120)}`)
        : null
    case 'integrate':
      return outcome.status === 'conflict'
        ? trouble(`conflicts with ${otherSide(outcome, state)}: ${plain(outcome.files.join(', '), 120)}`)
        : null
    case 'failure':
      if (outcome.code === 'CONFIG_BACKLOG')
        return `  ${paint.bad('✗')} the backlog cannot be read: ${plain(outcome.message, 160)}`
      return `  ${paint.bad('✗')} ${facts(name, `failed: ${plain(outcome.message, 160)} (${plain(outcome.code, 40)})`)}`
    case 'prepare':
    case 'check':
    case 'inspect':
    case 'overlay':
    case 'checkpoint':
    case 'rollback':
    case 'sync':
    case 'wait':
    case 'finish':
      return null
  }
}

/** The tasks whose changes are on the other side: those that landed, or a candidate that is about to land. */
function otherSide({ onto, stacked, files }: Conflict, { ledger, landings }: RunState): string {
  const isCandidate = ({ outcome }: LedgerEntry): boolean =>
    outcome.kind === 'integrate' && outcome.status === 'merged' && outcome.commit === onto
  const candidate = Object.keys(ledger).find((owner) => Object.values(ledger[owner] ?? {}).some(isCandidate))
  if (stacked && candidate !== undefined) return `the change of ${candidate}, which is about to land`
  const landed = landings.filter((landing) => files.some((file) => Object.hasOwn(landing.files ?? {}, file)))
  const tasks = [...new Set(landed.map(({ task }) => task))]
  return tasks.length === 0 ? 'the run branch' : `what ${tasks.slice(-3).join(', ')} landed`
}

const errorText = ({ kind, message, resetsAt }: AgentError, zone: Zone): string =>
  facts(
    `the agent ${errorWords[kind]}: ${plain(message, 120)}`,
    resetsAt !== null && `available again ${clock(resetsAt, zone)}`,
  )

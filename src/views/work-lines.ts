/** Live lines about work: only turns that no other line announces, and errors. */
import type { AgentError } from '../model/agent-error.ts'
import type { Event } from '../model/event.ts'
import { purposes } from '../model/purposes.ts'
import type { RunState } from '../model/state.ts'
import { msBetween } from '../model/time.ts'
import { isDeadline, type TurnWork, type Work } from '../model/work.ts'
import { isTimeLimit } from '../model/work-id.ts'
import { clock, duration } from './format.ts'
import type { Paint } from './paint.ts'
import { plain } from './plain-text.ts'
import { facts } from './progress.ts'
import { isOver, workName } from './work-name.ts'

export function workLine(work: Work, at: string, paint: Paint): string | null {
  if (isDeadline(work)) return null
  if (work.kind === 'wait')
    return `${paint.warn('⏸')} ${facts(`waiting until ${clock(work.until)}`, shortWait(at, work.until))}`
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
  if (!onPurpose.has(why)) return `  ${paint.warn('!')} ${facts(name, `lost: ${plain(why, 100)}`)}`
  const isKept = state.request === 'stop' || state.request === 'pause' || state.status === 'paused'
  return `  ${paint.faint(`· ${facts(name, `stopped${isKept ? '; it starts again on resume' : ''}`)}`)}`
}

/** Attempts and fixes have their own lines; testing and verifying appear with their results. */
function turnLine(work: TurnWork, paint: Paint): string | null {
  const again = work.errors.length > 0 && 'asked again: the answer was invalid'
  const line = (what: string): string => `${paint.busy('●')} ${facts(what, plain(work.agent, 30), again)}`
  if (work.purpose === 'iterate' && work.task === null) return line(passText(work))
  const { announced, label } = purposes[work.purpose]
  return announced ? line(`${label} ${work.task ?? ''}`.trim()) : null
}

const passText = ({ pass, within }: TurnWork): string => `${plain(within?.stage ?? 'loop', 40)} ${pass ?? ''}`.trim()

export function outcomeLine({ id, outcome }: Event<'work.finished'>, state: RunState, paint: Paint): string | null {
  const name = workName(id, state)
  const trouble = (what: string): string => `  ${paint.warn('!')} ${facts(name, what)}`
  switch (outcome.kind) {
    case 'turn':
      if (outcome.status === 'error') return trouble(errorText(outcome.error))
      return outcome.status === 'invalid'
        ? trouble(`gave an invalid answer: ${plain(outcome.errors.join('; '), 120)}`)
        : null
    case 'integrate':
      return outcome.status === 'conflict'
        ? trouble(`conflicts with the run branch: ${plain(outcome.files.join(', '), 120)}`)
        : null
    case 'failure':
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

const errorText = ({ kind, message, resetsAt }: AgentError): string =>
  facts(`ended with ${kind}: ${plain(message, 120)}`, resetsAt !== null && `available again ${clock(resetsAt)}`)

/** Waits for a limit to end or an overloaded model to recover: until when, how often, and how long in total. */
import { isLimit, type AgentError } from '../../model/agent-error.ts'
import type { RunState } from '../../model/state.ts'
import { addMs, msBetween, parseTime } from '../../model/time.ts'
import { resumeLater } from '../../model/resume-hint.ts'
import { outcomeOf } from './ledger.ts'
import { limitReached } from '../policies/budget.ts'
import { quotaKey, type Route } from '../policies/routing.ts'
import { pause, want } from '../proposal.ts'
import { notYet, type NotYet } from '../step.ts'

/** The time until which an agent and model is known to be out of quota; null when it is not. */
export function quotaEnd(state: RunState, route: Route): string | null {
  const until = state.quotas[quotaKey(route)]
  return until !== undefined && until > state.lastAt ? until : null
}

/** A question that is asked again after a wait. */
interface Retry {
  /** The id of the wait. */
  id: string
  question: string
  /** Which wait for the question, from 1. */
  nth: number
  /** The quota was known to be exhausted before the question was asked. */
  isForeseen?: true
}

/** Null when the wait is over. */
export function wait(
  state: RunState,
  { id, question, nth, isForeseen }: Retry,
  since: string,
  error: AgentError,
): NotYet | null {
  if (outcomeOf(state, id)) return null
  const under = state.works[id]
  if (under) return notYet(want(under.work))
  if (state.config.onUsageLimit === 'pause' && isLimit(error.kind)) {
    const detail = `${error.kind}: ${error.message}`
    return notYet(pause({ kind: 'wait', detail, ...resumeLater }))
  }
  const soonest = addMs(since, backoffMs(nth, id))
  const reported = error.resetsAt === null ? null : parseTime(error.resetsAt)
  // A reset time in the past cannot be the reason for the limit.
  const until = reported !== null && reported > since ? reported : soonest
  const { waitMinutes } = state.config.limits
  const total = state.waitedMs + Math.max(0, msBetween(since, until))
  if (waitMinutes !== null && total > waitMinutes * 60_000) {
    const what = `the limit of ${waitMinutes} min of waiting (${error.kind})`
    return notYet(pause(limitReached(what, '--wait-minutes <more>')))
  }
  return notYet(want({ kind: 'wait', id, until, awaits: { kind: 'retry', question, nth: isForeseen ? null : nth } }))
}

/**
 * 5 s, 10 s, 20 s … up to 10 min, plus jitter of up to a quarter. The jitter is a hash of the id, so that a replay gets
 * the same value.
 */
function backoffMs(nth: number, id: string): number {
  let hash = 0
  for (let at = 0; at < id.length; at++) hash = (hash * 31 + id.charCodeAt(at)) >>> 0
  const full = Math.min(600_000, 5_000 * 2 ** (nth - 1))
  return Math.round(full * (1 + (hash % 1000) / 4000))
}

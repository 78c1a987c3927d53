/** Limits on what a run may consume. No turn starts when spent plus reserved amounts reach a limit. */
import type { PauseReason } from '../../model/event.ts'
import type { Limits } from '../../model/config.ts'
import type { RunState } from '../../model/state.ts'
import { addMs } from '../../model/time.ts'
import type { Usage } from '../../model/usage.ts'
import { raiseAndResume } from '../../model/resume-hint.ts'
import { elapsedMs } from '../../model/elapsed.ts'

/** When the run reaches its time limit if it keeps running; null without a limit. */
export function deadline(state: RunState): string | null {
  const { timeMinutes } = state.config.limits
  if (timeMinutes === null || state.activeSince === null) return null
  return endOf(state.activeSince, timeMinutes * 60_000 - state.elapsedMs)
}

let newest = { since: '', leftMs: 0, end: '' }

/** Almost every decision asks for the same deadline as the one before it, so the newest is kept. */
function endOf(since: string, leftMs: number): string {
  if (newest.since !== since || newest.leftMs !== leftMs) newest = { since, leftMs, end: addMs(since, leftMs) }
  return newest.end
}

export function timeIsUp(state: RunState): PauseReason | null {
  const { timeMinutes } = state.config.limits
  if (timeMinutes === null || elapsedMs(state, state.lastAt) < timeMinutes * 60_000) return null
  return limitReached(`the time limit of ${timeMinutes} min`, '--time-minutes <more>')
}

/** Why no further turn may start, or null. `starting` counts turns that are about to start and not in the state yet. */
export function turnsAreUp(state: RunState, starting: number): PauseReason | null {
  const { turns, costUsd, tokens, diskMb } = state.config.limits
  if (turns !== null && state.turns + starting >= turns)
    return limitReached(`the limit of ${turns} turns`, '--turns <more>')
  const open = reserved(state, starting)
  if (costUsd !== null && state.usage.costUsd + open.costUsd >= costUsd) {
    return limitReached(`the cost limit of $${costUsd}`, '--cost-usd <more>')
  }
  if (tokens !== null && state.usage.inputTokens + state.usage.outputTokens + open.tokens >= tokens) {
    return limitReached(`the limit of ${tokens} tokens`, '--tokens <more>')
  }
  if (typeof diskMb === 'number' && (state.diskBytes ?? 0) > diskBytes(diskMb)) {
    return limitReached(`the limit of ${diskMb} MB on disk`, '--disk-mb <more>')
  }
  return null
}

/**
 * Whether turns under way have exceeded a limit of the run. Such turns are ended; turns that only come close are not.
 */
export const isOverspent = ({ costUsd, tokens }: Pick<Limits, 'costUsd' | 'tokens'>, usage: Usage): boolean =>
  (costUsd !== null && usage.costUsd > costUsd) || (tokens !== null && usage.inputTokens + usage.outputTokens > tokens)

export const diskBytes = (megabytes: number): number => megabytes * 1_000_000

/** The most that a turn that starts now may cost; null without a limit. */
export function remainingUsd(state: RunState): number | null {
  const { costUsd } = state.config.limits
  return costUsd === null ? null : Math.max(0, costUsd - state.usage.costUsd - reserved(state, 0).costUsd)
}

/** Reserves for each turn under way the cost of the most expensive turn so far, minus what the turn has reported. */
function reserved(state: RunState, starting: number): { costUsd: number; tokens: number } {
  const price = state.dearest.costUsd
  const size = state.dearest.inputTokens + state.dearest.outputTokens
  let costUsd = starting * price
  let tokens = starting * size
  for (const { work } of Object.values(state.works)) {
    if (work.kind !== 'turn') continue
    const reported = state.spending[work.id]
    costUsd += Math.max(0, price - (reported?.costUsd ?? 0))
    tokens += Math.max(0, size - (reported ? reported.inputTokens + reported.outputTokens : 0))
  }
  return { costUsd, tokens }
}

export const limitReached = (what: string, options: string): PauseReason => ({
  kind: 'limit',
  detail: `${what} is reached`,
  ...raiseAndResume(options),
})

/** Limits on what a run may consume. No turn starts when spent plus reserved amounts reach a limit. */
import type { PauseReason } from '../../model/event.ts'
import type { Limits } from '../../model/config.ts'
import type { RunState } from '../../model/state.ts'
import { addMs } from '../../model/time.ts'
import type { Usage } from '../../model/usage.ts'
import { elapsedMs } from '../run-clock.ts'

/** When the run reaches its time limit if it keeps running; null without a limit. */
export function deadline(state: RunState): string | null {
  const { timeMinutes } = state.config.limits
  if (timeMinutes === null || state.activeSince === null) return null
  return addMs(state.activeSince, timeMinutes * 60_000 - state.elapsedMs)
}

export function timeIsUp(state: RunState): PauseReason | null {
  const { timeMinutes } = state.config.limits
  if (timeMinutes === null || elapsedMs(state, state.lastAt) < timeMinutes * 60_000) return null
  return limitReached(`the time limit of ${timeMinutes} min`, 'looper resume --time-minutes <more>')
}

/** Why no further turn may start, or null. `starting` counts turns that are about to start and not in the state yet. */
export function turnsAreUp(state: RunState, starting: number): PauseReason | null {
  const { turns, costUsd, tokens, diskMb } = state.config.limits
  if (turns !== null && state.turns + starting >= turns)
    return limitReached(`the limit of ${turns} turns`, 'looper resume --turns <more>')
  const open = reserved(state, starting)
  if (costUsd !== null && state.usage.costUsd + open.costUsd >= costUsd) {
    return limitReached(`the cost limit of $${costUsd}`, 'looper resume --cost-usd <more>')
  }
  if (tokens !== null && state.usage.inputTokens + state.usage.outputTokens + open.tokens >= tokens) {
    return limitReached(`the limit of ${tokens} tokens`, 'looper resume --tokens <more>')
  }
  if (typeof diskMb === 'number' && (state.diskBytes ?? 0) > diskBytes(diskMb)) {
    return limitReached(`the limit of ${diskMb} MB on disk`, 'looper resume --disk-mb <more>')
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
    const told = state.spending[work.id]
    costUsd += Math.max(0, price - (told?.costUsd ?? 0))
    tokens += Math.max(0, size - (told ? told.inputTokens + told.outputTokens : 0))
  }
  return { costUsd, tokens }
}

export const limitReached = (what: string, command: string): PauseReason => ({
  kind: 'limit',
  detail: `${what} is reached`,
  hint: `Raise it and go on: ${command}`,
})

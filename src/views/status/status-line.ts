/** The live line at the bottom of a terminal. */
import type { RunState } from '../../model/state.ts'
import { activities } from '../live/activity.ts'
import { cut } from '../text/columns.ts'
import { duration, utc, type Zone } from '../text/format.ts'
import { costText, elapsedMs, facts, openQuestions, stageText, tally } from '../facts/progress.ts'

/** At most `width` columns: numbers stay, the list of running work is cut. */
export function statusLine(state: RunState, now: string, width: number, zone: Zone = utc): string {
  const { done, total } = tally(state)
  const questions = openQuestions(state).length
  const numbers = facts(
    total > 0 && `${done}/${total} done`,
    state.counts.failed > 0 && `${state.counts.failed} failed`,
    questions > 0 && `${questions} to answer`,
    timeText(state, now),
    costText(state),
  )
  const what =
    facts(...activities(state, now, zone)) || (state.request === null ? stageText(state) : `asked to ${state.request}`)
  const room = width - numbers.length - 5
  return cut(room < 8 ? numbers : `● ${cut(what, room)} · ${numbers}`, width)
}

function timeText(state: RunState, now: string): string {
  const limit = state.config.limits.timeMinutes
  const elapsed = duration(elapsedMs(state, now))
  return limit === null || limit === 0 ? elapsed : `${elapsed} of ${duration(limit * 60_000)}`
}

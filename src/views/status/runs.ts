/** `looper runs`: one row per run, at most as wide as the terminal. */
import type { RunState } from '../../model/state.ts'
import { msBetween } from '../../model/time.ts'
import type { Usage } from '../../model/usage.ts'
import { columns, cut, pad } from '../text/columns.ts'
import { age, clock, spent, type Zone } from '../text/format.ts'
import { withErrorWords } from '../facts/error-words.ts'
import { runText } from './left-behind.ts'
import type { LeftAgent, Liveness } from './liveness.ts'
import { noPaint, type Paint } from '../text/paint.ts'
import { plain } from '../text/plain-text.ts'
import { facts, isUnverified, reasonOf, shownStatus, tally, type ShownStatus } from '../facts/progress.ts'
import { usageView } from './status.ts'

/** Also `looper runs --json`. */
export interface RunRow {
  id: string
  goal: string
  workflow: string
  status: ShownStatus
  reason: string | null
  /** Completed without any proof. */
  unverified: boolean
  tasks: { done: number; total: number }
  usage: Usage
  startedAt: string
  endedAt: string | null
  applied: RunState['applied']
  discardedAt: string | null
  /** Agents of a crashed run that still run. */
  agents: LeftAgent[]
}

export function runRow(state: RunState, liveness: Liveness): RunRow {
  const { run: id, goal, workflow, startedAt, endedAt, applied, discardedAt } = state
  return {
    id,
    goal,
    workflow,
    status: shownStatus(state, liveness),
    reason: reasonOf(state),
    unverified: isUnverified(state),
    tasks: tally(state),
    usage: usageView(state.usage),
    startedAt,
    endedAt,
    applied,
    discardedAt,
    agents: liveness.left?.agents ?? [],
  }
}

const tones: Record<ShownStatus, keyof Paint> = {
  new: 'busy',
  running: 'busy',
  completed: 'good',
  failed: 'bad',
  paused: 'warn',
  aborted: 'bad',
  crashed: 'bad',
}

/** Shows an unproven run differently from a proven one. */
export const provenStatus = (state: RunState, liveness: Liveness, paint: Paint): string =>
  isUnverified(state)
    ? paint.warn('completed · unverified')
    : paint[tones[shownStatus(state, liveness)]](shownStatus(state, liveness))

export interface RunsTextOptions {
  /** ISO time. */
  now: string
  /** Width of the terminal; null: unlimited. */
  width: number | null
  /** On a wide terminal, the start of each run is shown in local time instead of its age. */
  zone?: Zone
  paint?: Paint
}

const wideTerminal = 110

export function runsText(rows: readonly RunRow[], { now, width, zone, paint = noPaint }: RunsTextOptions): string {
  if (rows.length === 0) return 'No runs yet. Start one: looper run "what you want"\n'
  const local = width !== null && width >= wideTerminal ? zone : undefined
  const when = ({ startedAt }: RunRow): string => {
    if (startedAt === '') return '?'
    return local === undefined ? age(msBetween(startedAt, now)) : clock(startedAt, local)
  }
  const cells = [
    ['run', 'state', 'tasks', 'spent', local === undefined ? 'age' : 'started', 'goal'],
    ...rows.map((row) => cellsOf(row, when(row))),
  ]
  const widths = widthsOf(cells, width ?? Infinity)
  const lines = cells.map((line, index) => {
    const shown = line
      .map((cell, column) => pad(cut(cell, widths[column] ?? 0), widths[column] ?? 0))
      .filter((cell) => cell !== '')
    const row = rows[index - 1]
    // When even the numbers do not fit, the row is cut without color.
    if (columns(shown.join(gap).trimEnd()) > (width ?? Infinity)) return cut(shown.join(gap), width ?? Infinity)
    return (row === undefined ? shown.map((cell) => paint.faint(cell)) : painted(shown, row, paint)).join(gap).trimEnd()
  })
  return `${lines.join('\n')}\n`
}

const gap = '  '
const longestReason = 48
const longestGoal = 60

function cellsOf(row: RunRow, when: string): string[] {
  const {
    status,
    reason,
    unverified,
    applied,
    discardedAt,
    agents,
    tasks: { done, total },
    usage,
  } = row
  return [
    plain(row.id, 48),
    facts(
      status,
      agents.length > 0 && runText(agents),
      unverified && 'unverified',
      applied !== null && 'applied',
      discardedAt !== null && 'discarded',
      shortReason(reason ?? ''),
    ),
    total === 0 ? '–' : `${done}/${total}`,
    spent(usage) || '–',
    when,
    plain(row.goal, longestGoal),
  ]
}

/** Removes the path of the journal, which the id already implies. */
const shortReason = (reason: string): string =>
  plain(withErrorWords(reason.replace(/^\S*events\.jsonl /, 'its journal ')), longestReason)

const painted = ([id = '', state = '', ...others]: readonly string[], row: RunRow, paint: Paint): string[] => [
  id,
  paint[row.unverified ? 'warn' : tones[row.status]](state),
  ...others,
]

/**
 * Numbers are never cut; id, state and goal share the remaining width. A run's number identifies it as well as the
 * whole id.
 */
function widthsOf(cells: readonly (readonly string[])[], width: number): number[] {
  const [id = 0, state = 0, tasks = 0, spentWidth = 0, ageWidth = 0, goal = 0] = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((row) => columns(row[column] ?? ''))),
  )
  const room = width - (tasks + spentWidth + ageWidth + 5 * gap.length)
  if (id + state + goal <= room) return [id, state, tasks, spentWidth, ageWidth, goal]
  const share = (part: number): number => Math.max(8, Math.floor(room * part))
  const stateWidth = Math.min(state, Math.max(share(0.4), room - id - goal))
  const idWidth = Math.min(id, Math.max(share(0.25), room - stateWidth - goal))
  return [idWidth, stateWidth, tasks, spentWidth, ageWidth, Math.max(0, room - idWidth - stateWidth)]
}

/** `looper runs`: one row a run, newest last. */
import type { RunState } from '../model/state.ts'
import { align } from './columns.ts'
import { clock } from './format.ts'
import { noPaint, type Paint } from './paint.ts'
import { plain } from './plain-text.ts'
import { isUnverified, shownStatus, type Liveness, type ShownStatus } from './progress.ts'

export interface RunRow {
  id: string
  goal: string
  workflow: string
  status: ShownStatus
  startedAt: string
  endedAt: string | null
}

export function runRow(state: RunState, liveness: Liveness): RunRow {
  const { run: id, goal, workflow, startedAt, endedAt } = state
  return { id, goal, workflow, status: shownStatus(state, liveness), startedAt, endedAt }
}

const tones: Record<ShownStatus, keyof Paint> = {
  new: 'busy', running: 'busy', completed: 'good', failed: 'bad', paused: 'warn', aborted: 'bad', crashed: 'bad',
}
const paintedStatus = (status: ShownStatus, paint: Paint): string => paint[tones[status]](status)

/** A run that nothing proves does not look like one that is proven. */
export const provenStatus = (state: RunState, liveness: Liveness, paint: Paint): string =>
  isUnverified(state) ? paint.warn('completed · unverified') : paintedStatus(shownStatus(state, liveness), paint)

export function runsText(rows: readonly RunRow[], paint: Paint = noPaint): string {
  if (rows.length === 0) return 'No runs yet. Start one: looper run "what you want"\n'
  const header = ['run', 'state', 'started', 'goal'].map((title) => paint.faint(title))
  const cells = rows.map((row) => [plain(row.id, 48), paintedStatus(row.status, paint), clock(row.startedAt), plain(row.goal, 60)])
  return `${align([header, ...cells]).join('\n')}\n`
}

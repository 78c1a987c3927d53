/** How many attempts are in flight. */
import type { RunState } from '../model/state.ts'

/** Attempts that race take a slot each. */
export const slotsTaken = ({ active, tasks }: RunState): number => active.reduce((sum, id) => sum + 1 + (tasks[id]?.rivals?.length ?? 0), 0)

/** Keeps what changed outside the workspaces, for status and report. Nothing is decided by it. */
import type { OutsideChange } from '../model/outside.ts'
import type { RunState } from '../model/state.ts'

/** The journal has all of them. */
const most = 200

export function noteOutside(state: RunState, { during, paths, more }: OutsideChange): void {
  const known = state.outside ?? []
  if (known.length < most) state.outside = [...known, { during, paths, more }]
}

/** Keeps changes outside the workspaces for status and report. No decision depends on them. */
import type { OutsideChange } from '../model/outside.ts'
import type { RunState } from '../model/state.ts'

/** The journal has all of them. */
const most = 200

export function recordOutside(state: RunState, { during, paths, more }: OutsideChange): void {
  const known = state.outside ?? []
  if (known.length < most) state.outside = [...known, { during, paths, more }]
}

/** Whether the first task or pass has started: from then on a coder may have worked. */
import type { RunState } from '../../model/state.ts'

export const hasBegun = ({ wave, loop }: RunState): boolean => wave > 0 || (loop !== null && loop.base !== null)

/** Whether the user gave a goal beyond working through the backlog. */
import { usualGoal } from '../../model/source.ts'
import type { RunState } from '../../model/state.ts'

export const hasOwnGoal = ({ goal, config, loop }: RunState): boolean => loop === null && goal !== usualGoal(config)

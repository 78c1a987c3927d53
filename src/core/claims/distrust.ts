/** The pause reason of a run whose journal has an event that failed verification, with a hint for the person. */
import type { PauseReason } from '../../model/event.ts'
import type { RunState } from '../../model/state.ts'
import { inPlace } from '../tasks/workspace-needs.ts'

export function distrust(state: RunState, { seq, why }: NonNullable<RunState['distrusted']>): PauseReason {
  const hint = inPlace(state)
    ? 'Review your checkout, then start a new run: looper run "<goal>"'
    : `Start again from before that event: looper fork ${state.run} --at ${seq - 1}`
  return { kind: 'blocked', detail: `event ${seq} of the journal is not trusted: ${why}`, hint }
}

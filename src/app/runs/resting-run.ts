/** Writes into the journal of a resting run: the process that holds its lock may record what the user did. */
import { evolve } from '../../core/evolve.ts'
import { initialState } from '../../core/initial.ts'
import { createRecorder, type Recorder } from '../../engine/recorder.ts'
import type { Event } from '../../model/event.ts'
import type { StoredRun } from '../../model/ports.ts'
import type { RunState } from '../../model/state.ts'

/** The caller holds the run's lock. Events that `act` records are durable when this resolves. */
export async function withRestingRun<T>(
  run: StoredRun,
  act: (state: RunState, recorder: Recorder) => Promise<T>,
  onEvent: (event: Event, state: RunState) => void = () => {},
): Promise<T> {
  const state = initialState()
  const { journal, snapshots } = await run.journal.open((event) => void evolve(state, event))
  try {
    const recorder = createRecorder({
      state,
      journal,
      snapshots,
      clock: { now: Date.now },
      onEvent: (event) => onEvent(event, state),
    })
    const result = await act(state, recorder)
    await recorder.flush()
    return result
  } finally {
    await journal.close()
  }
}

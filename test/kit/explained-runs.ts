/** Runs to be explained, and their explanation as text. */
import { initialConvergence } from '../../src/core/state/waves.ts'
import type { RunState } from '../../src/model/state.ts'
import type { Intent } from '../../src/views/status/explain-next.ts'
import { explain, explanationText } from '../../src/views/status/explain.ts'
import { sampleFailure, sampleState, sampleTask } from './state.ts'

export const resting = { live: false }
export const nothing: Intent = { facts: [], work: [] }
export const stop = { activeSince: null, elapsedMs: 300_000 }
export const text = (state: RunState, intent = nothing, liveness = resting): string =>
  explanationText(explain(state, liveness, intent))

export const red = sampleFailure({ summary: 'test failed (exit 1)' })
export const stalled = sampleState({
  ...stop,
  status: 'failed',
  reason: 'STALLED after 2 recoveries: the same failure 5 times: test failed (exit 1)',
  wave: 5,
  tasks: [
    sampleTask({ id: 'T001', attempts: 5, failures: [red, red] }),
    sampleTask({ id: 'T002', dependsOn: ['T001'], waitingOn: 1 }),
  ],
  convergence: {
    ...initialConvergence(),
    health: 'STALLED',
    evidence: 'the same failure 5 times: test failed (exit 1)',
    recoveries: { STALLED: 2 },
  },
})
export const again: Intent = {
  facts: [
    { type: 'task.reopened', tasks: [], why: 'resumed' },
    { type: 'task.started', task: 'T001', attempt: 6, agent: 'codex', wave: 6 },
  ],
  work: [{ kind: 'prepare', id: 'T001/a6/prepare', workspace: 'T001' }],
}

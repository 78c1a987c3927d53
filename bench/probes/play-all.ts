/** A run in which everything goes well, as fast as the core can think. */
import { concludeUntilQuiet } from '../../src/core/conclude-until-quiet.ts'
import { evolve } from '../../src/core/evolve.ts'
import { initialState } from '../../src/core/initial.ts'
import type { Event, Fact } from '../../src/model/event.ts'
import type { RunState } from '../../src/model/state.ts'
import type { Outcome, Work } from '../../src/model/work.ts'
import { baseConfig, outcomeFor, planOf, started } from '../../test/kit/play.ts'

const at = '2026-01-01T00:00:00.000Z'

/** Facts until there are none, then all work that is wanted, then its outcomes: the engine's own round. */
export function playAll(tasks: number, onEvent: (event: Event) => void = () => {}): RunState {
  const state = initialState()
  const record = (fact: Fact): void => {
    const event = { seq: state.seq + 1, at, ...fact }
    evolve(state, event)
    onEvent(event)
  }
  const plan = planOf(
    Array.from({ length: tasks }, (_, index) => ({ id: `T${index + 1}`, title: `Task ${index + 1}` })),
  )
  const answer = (work: Work): Outcome =>
    work.kind === 'turn' && work.role === 'planner' ? plan : outcomeFor(work, state)
  const config = baseConfig()
  record(started({ ...config, parallel: 8, limits: { ...config.limits, iterations: null } }))
  for (;;) {
    const { work } = concludeUntilQuiet(state, record)
    const fresh = work.filter(({ id }) => !state.works[id])
    for (const item of fresh) record({ type: 'work.started', work: item })
    const waiting = Object.values(state.works).filter((entry) => entry.work.kind !== 'wait')
    if (waiting.length === 0) return completed(state)
    for (const { work: item } of waiting) record({ type: 'work.finished', id: item.id, outcome: answer(item) })
  }
}

/** A run that did less than asked is no measurement. */
function completed(state: RunState): RunState {
  if (state.conclusion?.status !== 'completed')
    throw new Error(`the run ended as ${state.conclusion?.status}: ${state.conclusion?.reason}`)
  return state
}

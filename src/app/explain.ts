/** Explains why a run is in its state, and what the core would do next if it resumed now. */
import { concludeUntilQuiet } from '../core/conclude-until-quiet.ts'
import { evolve } from '../core/evolve.ts'
import type { Fact } from '../model/event.ts'
import type { RunState } from '../model/state.ts'
import { isDeadline } from '../model/work.ts'
import { explain, type Explanation, type Intent } from '../views/explain.ts'
import { readRun } from './read-run.ts'

export async function explainRun(root: string, id: string): Promise<Explanation> {
  const { state, live } = await readRun(root, id)
  return explain(state, { live }, intentOf(state))
}

const mostSteps = 20

/** Decides on a copy of the state until the next step would be work in the outside world. */
function intentOf(state: RunState): Intent {
  if (state.status === 'completed' || state.status === 'aborted') return { facts: [], work: [] }
  const copy = structuredClone(state)
  const tell = (fact: Fact): void => void evolve(copy, { ...fact, seq: copy.seq + 1, at: copy.lastAt })
  if (copy.status !== 'running') tell({ type: 'run.resumed', limits: {} })
  const facts: Fact[] = []
  const last = concludeUntilQuiet(
    copy,
    (fact) => {
      facts.push(fact)
      tell(fact)
    },
    { rounds: mostSteps },
  )
  const work = last.facts.length > 0 ? [] : last.work
  return { facts, work: work.filter((each) => !isDeadline(each)) }
}

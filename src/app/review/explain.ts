/** Explains why a run is in its state, and what the core would do next if it resumed now. */
import { concludeUntilQuiet } from '../../core/conclude-until-quiet.ts'
import { evolve } from '../../core/evolve.ts'
import type { Fact } from '../../model/event.ts'
import type { RunState } from '../../model/state.ts'
import { isDeadline } from '../../model/work.ts'
import type { Intent } from '../../views/status/explain-next.ts'
import { explain, type Explanation } from '../../views/status/explain.ts'
import type { Zone } from '../../views/text/format.ts'
import { readRun } from '../runs/read-run.ts'

export async function explainRun(root: string, id: string, zone?: Zone): Promise<Explanation> {
  const { state, live } = await readRun(root, id)
  return explain(state, { live }, intentOf(state), zone)
}

const mostSteps = 20

/** Decides on a copy of the state until the next step would be work in the outside world. */
function intentOf(state: RunState): Intent {
  if (state.status === 'completed' || state.status === 'aborted') return { facts: [], work: [] }
  const copy = structuredClone(state)
  const apply = (fact: Fact): void => void evolve(copy, { ...fact, seq: copy.seq + 1, at: copy.lastAt })
  if (copy.status !== 'running') apply({ type: 'run.resumed', limits: {} })
  const facts: Fact[] = []
  const last = concludeUntilQuiet(
    copy,
    (fact) => {
      facts.push(fact)
      apply(fact)
    },
    { rounds: mostSteps },
  )
  const work = last.facts.length > 0 ? [] : last.work
  return { facts, work: work.filter((each) => !isDeadline(each)) }
}

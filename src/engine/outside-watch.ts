/** Records changes outside the workspaces, with the work that was under way at the time. */
import type { Fact } from '../model/event.ts'
import type { Bystander, Surroundings } from '../model/outside.ts'
import type { RunState } from '../model/state.ts'
import type { Work } from '../model/work.ts'

export interface OutsideWatch {
  /** Called when the work of these ids is over but still in `state.works`. */
  compare(ids: readonly string[]): void
  /** Called before the run ends or pauses: also compares a large checkout. */
  compareAll(): void
}

export function createOutsideWatch(
  state: RunState,
  surroundings: Surroundings | undefined,
  record: (fact: Fact) => void,
): OutsideWatch {
  const compare = (whole: boolean): void => {
    const found = surroundings?.changed(whole)
    if (!found) return
    const during = Object.values(state.works).flatMap(({ work }) => bystander(work))
    record({ type: 'outside.changed', during, ...found })
  }
  return {
    compare(ids) {
      const ended = ids.flatMap((id) => bystander(state.works[id]?.work))
      if (ended.some(({ what }) => what !== 'setup' || surroundings?.setsUp !== false)) compare(state.request !== null)
    },
    compareAll: () => compare(true),
  }
}

/** Work that runs external programs: agents, checks, set-up. */
function bystander(work: Work | undefined): Bystander[] {
  if (work?.kind === 'turn') return [{ work: work.id, task: work.task, what: work.role }]
  if (work?.kind === 'check') return [{ work: work.id, task: work.task, what: 'check' }]
  return work?.kind === 'prepare' ? [{ work: work.id, task: null, what: 'setup' }] : []
}

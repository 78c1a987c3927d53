/** Records what changed outside the workspaces, with the work that was under way at the time. */
import type { Fact } from '../model/event.ts'
import type { Bystander, OutsidePaths } from '../model/outside.ts'
import type { RunState } from '../model/state.ts'
import type { Work } from '../model/work.ts'

/** Compares the surroundings with what they were when last asked. Must not throw. */
export interface Surroundings {
  changed(whole: boolean): OutsidePaths | null
  /** False: preparing a workspace runs no command. */
  setsUp?: boolean
}

export interface OutsideWatch {
  /** Work of these ids is over, and still among the works of the state. */
  compare(ids: readonly string[]): void
  /** The run is about to rest: a large checkout is compared as well. */
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

/** Work that runs programs of others: agents, checks, set-up. */
function bystander(work: Work | undefined): Bystander[] {
  if (work?.kind === 'turn') return [{ work: work.id, task: work.task, what: work.role }]
  if (work?.kind === 'check') return [{ work: work.id, task: work.task, what: 'check' }]
  return work?.kind === 'prepare' ? [{ work: work.id, task: null, what: 'setup' }] : []
}

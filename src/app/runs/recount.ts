/**
 * Opens a run for the process that resumes or applies it. The journal is folded from its first event, without the
 * snapshot, and what it says about turns and landings is compared with the folders of the turns and with git: an agent
 * that killed the engine may have written to the journal.
 */
import { evolve } from '../../core/evolve.ts'
import { initialState } from '../../core/initial.ts'
import { ownerOf, stepId } from '../../model/work-id.ts'
import { createTurnClaims, type TurnClaim, type TurnClaims } from '../../core/claims/turn-claims.ts'
import type { LocalDispatch } from '../../dispatch/local.ts'
import type { Event, Fact } from '../../model/event.ts'
import type { StoredRun } from '../../model/ports.ts'
import type { RunState } from '../../model/state.ts'
import { landedOn } from '../../workspace/landing/landed-on.ts'
import { createStretch, type Stretch } from '../settings/changed-settings.ts'
import { findCleaned } from './cleaned-turns.ts'
import { runOf } from './runs.ts'

export interface Recounted {
  state: RunState
  claims: TurnClaims
  stretch: Stretch
}

/** `add` must be called with every event, from the first one on. */
export function createRecount(): Recounted & { add(event: Event): void } {
  const state = initialState()
  const claims = createTurnClaims()
  const { stretch, follow } = createStretch()
  return {
    state,
    claims,
    stretch,
    add(event) {
      evolve(state, event)
      follow(event)
      claims.add(event, state)
    },
  }
}

export async function recount({ journal }: StoredRun): Promise<Recounted> {
  const { add, ...recounted } = createRecount()
  await journal.replay(add)
  return recounted
}

type Revoked = Fact<'work.lost'>

const revoke = (id: string, revokes: number, why: string): Revoked => ({ type: 'work.lost', id, why, revokes })

/**
 * The events of the journal that are contradicted, as facts that revoke them. `tip` is the branch of the run or a
 * commit; null when there is none to compare with.
 */
export async function notBelieved(
  root: string,
  { state, claims }: Pick<Recounted, 'state' | 'claims'>,
  { contradiction }: Pick<LocalDispatch, 'contradiction'>,
  tip: string | null = `refs/heads/${state.branch}`,
): Promise<Revoked[]> {
  if (state.status === 'new') return []
  const revoked = claims.unbacked(state).map(({ id, seq, why }) => revoke(id, seq, why))
  const answers = claims.answers(state)
  const isCleaned = await findCleaned(runOf(root, state.run))
  for (const claim of answers) {
    const why = isCleaned(claim) ? null : await contradiction(claim)
    if (why !== null) revoked.push(revoke(claim.work.id, claim.seq, why))
  }
  return firstOfEach([...revoked, ...(tip === null ? [] : await notLanded(root, state, answers, tip))])
}

/** Keeps only the first revoked event of each task: revoking it also undoes everything after it. */
function firstOfEach(revoked: readonly Revoked[]): Revoked[] {
  const first = new Map<string, Revoked>()
  for (const fact of revoked.toSorted((a, b) => (a.revokes ?? 0) - (b.revokes ?? 0))) {
    if (!first.has(ownerOf(fact.id))) first.set(ownerOf(fact.id), fact)
  }
  return [...first.values()]
}

/** A task that is recorded as done has not landed when its commit is not on the run branch. */
async function notLanded(
  root: string,
  state: RunState,
  answers: readonly TurnClaim[],
  tip: string,
): Promise<Revoked[]> {
  if (state.config.workspace.mode === 'in-place') return []
  // A rollback in progress may have moved the branch already.
  if (state.convergence.next?.do === 'roll-back') return []
  const done = Object.values(state.tasks).flatMap(({ id, status, commit }) =>
    status === 'done' && commit !== null ? [{ id, commit }] : [],
  )
  if (done.length === 0) return []
  const { commits, tasks } = await landedOn(root, tip, state.base.commit)
  return done
    .filter(({ id, commit }) => !commits.has(commit) && !tasks.has(id))
    .map(({ id, commit }) => {
      const seq = answers.find(({ work }) => work.task === id)?.seq ?? state.seq
      const why = `${id} is recorded as done, but ${state.branch} does not hold its commit ${commit.slice(0, 12)}`
      return revoke(stepId(id, 'done'), seq, why)
    })
}

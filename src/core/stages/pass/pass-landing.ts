/** Checks the change of a pass and lands it on the run branch. */
import type { Failure } from '../../../model/event.ts'
import type { IteratorResult } from '../../../model/results.ts'
import { verificationWorkspace, type SubmoduleCommit } from '../../../model/work.ts'
import { stepId } from '../../../model/work-id.ts'
import { resumeAfter } from '../../../model/resume-hint.ts'
import { checksFor } from '../../policies/checks.ts'
import { withOutside } from '../../policies/outside.ts'
import { pause } from '../../proposal.ts'
import { done, notYet, orPause, perform, type Step } from '../../step.ts'
import { inPlace } from '../../tasks/workspace-needs.ts'
import { runChecks, type CheckRun } from '../attempt/checking.ts'
import { integrates } from '../attempt/integrate.ts'
import type { Pass } from './pass-standing.ts'

export interface Landed {
  base: string | null
  failure: Failure | null
  submodules?: SubmoduleCommit[] | undefined
}

export const unchanged = ({ base }: Pass): Landed => ({ base, failure: null })

/** How often the run branch may move during a landing before a person must act. */
const mostMerges = 20

/**
 * In place, the checkout is checked before it is committed. Otherwise the merged tree is checked in a verification
 * workspace before it lands.
 */
export function checkAndLand(standing: Pass, result: IteratorResult): Step<Landed> {
  const { state, stage, base, tree, id } = standing
  if (inPlace(state) || !integrates(state)) {
    const checked = stage.checks
      ? check(standing, { prefix: stepId(id, 'check'), workspace: 'main', tree })
      : done(unchanged(standing))
    if (checked.status === 'not-yet' || checked.outcome.failure !== null || !integrates(state)) return checked
  }
  for (let merge = 0; merge < mostMerges; merge++) {
    const step = landOnce(standing, result, merge)
    if (step.status === 'not-yet') return step
    if (step.outcome !== 'moved') return done(step.outcome)
  }
  return notYet(
    pause({
      kind: 'setup',
      detail: `${id} cannot be landed on ${base}: the run branch was changed by another program`,
      ...resumeAfter('Inspect the run branch'),
    }),
  )
}

function landOnce(standing: Pass, { summary }: IteratorResult, merge: number): Step<Landed | 'moved'> {
  const { state, stage, loop, id, base, tree } = standing
  const title = `${stage.name} ${loop.iterations + 1}: ${summary || 'one pass'}`
  const common = { kind: 'integrate', workspace: 'main', task: stage.name, title, base } as const
  const landAnyway = inPlace(state) || !stage.checks || state.config.checks.length === 0
  const merging = { kind: 'merge', tree, landAnyway } as const
  const merged = orPause(perform(state, { ...common, id: stepId(id, 'merge', merge), step: merging }))
  if (merged.status === 'not-yet') return merged
  const { outcome } = merged
  if (outcome.status !== 'landed' && outcome.status !== 'merged') return done('moved')
  const { submodules } = outcome
  if (outcome.status === 'landed') return done({ base: outcome.commit ?? base, failure: null, submodules })
  const checked = check(standing, {
    prefix: stepId(id, 'check', '', merge),
    workspace: verificationWorkspace,
    tree: outcome.tree,
    commit: outcome.commit,
  })
  if (checked.status === 'not-yet') return checked
  if (checked.outcome.failure !== null) return afterRed(standing, checked.outcome.failure, stepId(id, 'outside', merge))
  const landing = { kind: 'land', commit: outcome.commit, onto: outcome.onto } as const
  const land = orPause(perform(state, { ...common, id: stepId(id, 'land', merge), step: landing }))
  if (land.status === 'not-yet') return land
  return done(land.outcome.status === 'moved' ? 'moved' : { base: outcome.commit, failure: null, submodules })
}

/** Reports to the next pass what this one left outside the tree. */
function afterRed({ state, base }: Pass, red: Failure, id: string): Step<Landed> {
  const seen = perform(state, { kind: 'inspect', id, workspace: 'main', base, restore: null, outside: true })
  if (seen.status === 'not-yet') return seen
  return done({ base, failure: withOutside(red, seen.status === 'done' ? (seen.outcome.outside ?? []) : []) })
}

export function check(
  { state, loop, base }: Pass,
  place: Pick<CheckRun, 'prefix' | 'workspace' | 'tree' | 'commit'>,
): Step<Landed> {
  const checked = runChecks(state, checksFor(state, null), {
    ...place,
    records: loop.checks.filter(({ tree }) => tree === place.tree),
    subject: { task: null, attempt: 1, round: loop.iterations + 1, merged: false },
  })
  if (checked.status === 'not-yet') return checked
  return done({ base, failure: checked.status === 'done' ? null : checked.failure.failure })
}

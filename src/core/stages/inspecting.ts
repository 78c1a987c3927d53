/** What an agent left in its workspace: nothing at all, conflict markers, tests made weaker, or a change to be checked. */
import type { TamperFinding } from '../../model/tamper.ts'
import type { InspectOutcome } from '../../model/work.ts'
import { environment } from '../answers.ts'
import { outcomeOf } from '../ledger.ts'
import { unlicensed, wordsOf } from '../policies/tamper.ts'
import { pause, want, type Proposal } from '../proposal.ts'
import { inPlace, tracksTrees } from '../workspace-needs.ts'
import { fail, fixOrFail, isResolving, type Standing } from './attempt.ts'
import { conflict } from './integrate.ts'
import { acceptedTree, guards, tampering } from './tampering.ts'

export type Inspected = { proposal: Proposal } | Pick<Standing, 'tree' | 'files' | 'was' | 'newTests' | 'size'>

/** A task whose agent says "complete" and changed nothing is not done. One that says itself that there is more to do, is gone on with. */
export function inspect(standing: Standing, isUnfinished: boolean): Inspected {
  const { state, attempt, since, workspace } = standing
  if (!tracksTrees(state)) return { tree: null }
  const id = `${standing.id}/inspect${attempt.round}`
  const outcome = outcomeOf(state, id)
  if (!outcome) {
    const accepted = acceptedTree(state)
    return { proposal: want({
      kind: 'inspect', id, workspace, base: since, restore: null, ...(isResolving(standing) ? { markers: true } : {}),
      ...(guards(state) ? { guard: true, ...(accepted === null || accepted === since ? {} : { accepted }) } : {}),
    }) }
  }
  if (outcome.kind === 'failure') return { proposal: pause(environment(outcome.message)) }
  const { tree, fileCount, insertions, deletions, markers = [], files, hashes, was, newTests } = outcome as InspectOutcome
  const after: Standing = { ...standing, tree }
  if (markers.length > 0) {
    return { proposal: fail(after, { ...conflict(markers), summary: `conflict markers are left in ${markers.slice(0, 5).join(', ')}` }) }
  }
  const tampered = isUnfinished ? null : tampering(state, found(after, outcome as InspectOutcome), standing.task.id, id)
  if (tampered) return 'proposal' in tampered ? tampered : { proposal: fixOrFail(after, tampered.failure, null) }
  if (isUnfinished || fileCount > 0 || (inPlace(state) && state.config.checks.length === 0)) {
    const before = was && Object.fromEntries(files.map((path, at) => [path, was[at] ?? null]))
    return {
      tree, size: insertions + deletions, ...(hashes ? { files: hashes } : {}), ...(before ? { was: before } : {}),
      ...(newTests ? { newTests } : {}),
    }
  }
  return { proposal: fail(after, {
    kind: 'no-change', error: null, summary: 'the agent said "complete" but changed nothing', detail: '', fingerprint: 'no-change',
  }) }
}

/** What an attempt in place finds may be what another task was asked for, and came to nothing with. */
function found({ state, task }: Standing, { tamper = [] }: InspectOutcome): TamperFinding[] {
  const others = acceptedTree(state) === null ? [] : state.order.flatMap((id) => state.tasks[id] ?? [])
  return unlicensed([task, ...others.filter(({ attempts, status }) => attempts > 0 && status !== 'done')].map(wordsOf), tamper)
}

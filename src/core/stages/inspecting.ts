/** What an agent left in its workspace: nothing at all, conflict markers, tests made weaker, or a change to be checked. */
import type { Fact } from '../../model/event.ts'
import type { InspectOutcome } from '../../model/work.ts'
import { environment } from '../answers.ts'
import { outcomeOf } from '../ledger.ts'
import { findingText, unlicensed } from '../policies/tamper.ts'
import { pause, record, want, type Proposal } from '../proposal.ts'
import { inPlace, tracksTrees } from '../workspace-needs.ts'
import { fail, fixOrFail, isResolving, type Standing } from './attempt.ts'
import { conflict } from './integrate.ts'

export type Inspected = { proposal: Proposal } | Pick<Standing, 'tree' | 'files' | 'was' | 'newTests' | 'size'>

/** A task whose agent says "complete" and changed nothing is not done. One that says itself that there is more to do, is gone on with. */
export function inspect(standing: Standing, isUnfinished: boolean): Inspected {
  const { state, attempt, since, workspace } = standing
  if (!tracksTrees(state)) return { tree: null }
  const id = `${standing.id}/inspect${attempt.round}`
  const outcome = outcomeOf(state, id)
  if (!outcome) {
    return { proposal: want({
      kind: 'inspect', id, workspace, base: since, restore: null, ...(isResolving(standing) ? { markers: true } : {}),
      ...((state.config.guard ?? 'off') === 'off' ? {} : { guard: true }),
    }) }
  }
  if (outcome.kind === 'failure') return { proposal: pause(environment(outcome.message)) }
  const { tree, fileCount, insertions, deletions, markers = [], files, hashes, was, newTests } = outcome as InspectOutcome
  const after: Standing = { ...standing, tree }
  if (markers.length > 0) {
    return { proposal: fail(after, { ...conflict(markers), summary: `conflict markers are left in ${markers.slice(0, 5).join(', ')}` }) }
  }
  const tampered = isUnfinished ? null : tampering(after, outcome as InspectOutcome, id)
  if (tampered) return { proposal: tampered }
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

const putBack = 'Put them back as they were, and make the work right instead. ' +
  'If the task cannot be done without, answer `blocked` and say why.'

/** Tests and checks made weaker are put back, unless the task says so. Everyone is told either way. */
function tampering(standing: Standing, { tamper = [] }: InspectOutcome, origin: string): Proposal | null {
  const { state, task } = standing
  const found = unlicensed(task, tamper)
  if (found.length === 0) return null
  const lines = found.map(findingText)
  const blocks = state.config.guard === 'block'
  if (!state.findings.some((finding) => finding.origin === origin)) {
    const raised: Fact = {
      type: 'finding.raised', severity: blocks ? 'BLOCKER' : 'WARNING', title: 'tests or checks were made weaker',
      detail: lines.join('\n'), task: task.id, origin,
    }
    return record(raised)
  }
  if (!blocks) return null
  return fixOrFail(standing, {
    kind: 'tamper', error: null,
    summary: `tests or checks were made weaker: ${lines[0]}${lines.length > 1 ? ` and ${lines.length - 1} more` : ''}`,
    detail: `${lines.map((line) => `- ${line}`).join('\n')}\n\n${putBack}`,
    fingerprint: `tamper:${found.map(({ kind, file, test }) => `${kind} ${file} ${test ?? ''}`).toSorted().join(',')}`,
  }, null)
}

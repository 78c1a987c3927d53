/** New tests are proof only if they fail without the change: they are laid over the old code and run there. */
import type { OverlayOutcome } from '../../model/work.ts'
import { environment } from '../answers.ts'
import { outcomeOf } from '../ledger.ts'
import { wasRed } from '../policies/baseline.ts'
import type { PlannedCheck } from '../policies/checks.ts'
import { pause, record, want, type Proposal } from '../proposal.ts'
import { inPlace } from '../workspace-needs.ts'
import { checksOf, type Standing } from './attempt.ts'
import { observe } from './checking.ts'

/** Null when it is known, or there is nothing to find out. */
export function prove(standing: Standing): Proposal | null {
  const { state, task, attempt, id, tree, since, newTests = [], workspace } = standing
  const wanted = state.config.proof === true && !inPlace(state) && tree !== null && since !== null && newTests.length > 0
  if (!wanted || attempt.proof !== undefined) return null
  const checks = testChecks(standing)
  if (checks.length === 0) return null
  const prefix = `${id}/proof${attempt.round}`
  const laid = outcomeOf(state, prefix)
  if (!laid) return want({ kind: 'overlay', id: prefix, workspace, base: since, tree, paths: newTests })
  if (laid.kind === 'failure') return pause(environment(laid.message))
  let proved = false
  for (const [place, check] of checks.entries()) {
    const seen = observe(state, check, `${prefix}/${place + 1}`, { workspace, tree: (laid as OverlayOutcome).tree, task: task.id })
    if (seen.status === 'not-yet') return seen.proposal
    // Where no test ran, none failed; and what fails there as it did before says nothing of new tests.
    proved ||= !seen.passed && seen.usable && seen.outcome.exitCode !== 0 && !wasRed(state, check, seen.outcome)
    if (proved) break
  }
  const back = `${prefix}/back`
  const restored = outcomeOf(state, back)
  if (!restored) return want({ kind: 'inspect', id: back, workspace, base: since, restore: tree })
  if (restored.kind === 'failure') return pause(environment(restored.message))
  return record({ type: 'proof.given', task: task.id, attempt: attempt.n, proved, files: newTests })
}

/** Those whose output tells that they ran tests, and that can be trusted. */
function testChecks(standing: Standing): PlannedCheck[] {
  const own = standing.attempt.checks.filter(({ tests, passed, merged }) => passed && !merged && (tests ?? 0) > 0)
  const ran = new Set(own.map(({ check }) => check))
  return checksOf(standing).filter(({ name }) => ran.has(name) && !Object.hasOwn(standing.state.flaky, name))
}

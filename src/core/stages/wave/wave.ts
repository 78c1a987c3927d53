/**
 * The end of a wave: landed changes are checked together, a change that broke a check is reverted, and the monitor
 * judges whether work converges. The next step (`next-step.ts`) is carried out before new tasks start.
 */
import type { NextStep } from '../../../model/convergence.ts'
import type { RunState } from '../../../model/state.ts'
import { auditIsDue } from '../../policies/audit.ts'
import { diagnose } from '../../policies/monitor.ts'
import { nextStep } from '../../policies/recovery.ts'
import { record, recordAny, type Facts, type Proposal } from '../../proposal.ts'
import { hasPasses, inPlace } from '../../tasks/workspace-needs.ts'
import { audit, auditInPlace } from './audit.ts'
import { integrates } from '../attempt/integrate.ts'
import { review } from './review-wave.ts'
import { carryOut } from './next-step.ts'

/** Checkpoints and rollbacks need a run branch of its own. */
const keepsCommits = (state: RunState): boolean => audits(state) && !hasPasses(state)

const audits = (state: RunState): boolean => integrates(state) && !inPlace(state)

/** Null when there is no wave to close and no next step from the last one. */
export function closeWave(state: RunState): Proposal | null {
  const { next } = state.convergence
  if (next) return carryOut(state, next)
  if (state.waveTasks.length === 0 && !isLeftBroken(state)) return null
  const inPlaceAudit = audits(state) ? null : auditInPlace(state)
  if (inPlaceAudit) return inPlaceAudit
  const audited = audits(state) ? audit(state) : null
  if (audited?.status === 'not-yet') return audited.proposal
  return (audited ? null : review(state)) ?? record(...closing(state, audited?.failure ?? null))
}

/** Records a revert that has landed, even when the run is about to end, pause or roll back. */
export function recordReverted(state: RunState): Proposal | null {
  const audited = audits(state) ? audit(state) : null
  const facts = audited?.status === 'not-yet' ? audited.proposal.facts : []
  return facts.some(({ type }) => type === 'task.undone') ? recordAny(facts) : null
}

/** Whether a person resumed a run that had stopped with a broken branch. */
const isLeftBroken = (state: RunState): boolean => state.wave > 0 && state.active.length === 0 && auditIsDue(state)

function closing(state: RunState, broken: NextStep | null): Facts {
  const { wave, waveTasks, convergence } = state
  const diagnosis = diagnose(state)
  const { health, evidence } =
    broken && 'evidence' in broken ? { health: 'REGRESSING' as const, evidence: broken.evidence } : diagnosis
  const isNews = health !== convergence.health || evidence !== convergence.evidence
  return [
    ...(isNews ? [{ type: 'health.changed', health, evidence, wave } as const] : []),
    {
      type: 'wave.closed',
      wave,
      tasks: waveTasks,
      health,
      next: broken ?? nextStep(state, diagnosis, keepsCommits(state)),
    },
  ]
}

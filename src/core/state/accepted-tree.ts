/** The tree that in-place runs compare changes with: in place, nothing is restored between attempts. */
import type { Convergence } from '../../model/convergence.ts'
import type { Event } from '../../model/event.ts'
import { writes } from '../../model/purposes.ts'
import type { RunState } from '../../model/state.ts'
import { findingKey } from '../../model/tamper.ts'
import type { InspectOutcome, PrepareOutcome, Work } from '../../model/work.ts'

/**
 * Records the tree that was seen. What failed attempts left in place still counts as theirs; a person's edits are
 * accepted.
 */
export function recordTree(state: RunState, outcome: PrepareOutcome | InspectOutcome, owner: string): void {
  const { accepted } = state.convergence
  const { kind, tree } = outcome
  if (tree === null || !isInPlace(state) || (kind === 'inspect' && !accepted)) return
  const { seen, inspections = 0, touched, rested, edits } = accepted ?? {}
  // After a coder's turn without an inspection, a person's edits cannot be distinguished from the coder's.
  const isTheirs = kind === 'prepare' && rested === true && !touched && seen !== undefined && seen !== tree
  const known = isTheirs ? [...(edits ?? []), { from: seen, to: tree }] : edits
  const left = leftBy(outcome, owner, accepted?.left)
  state.convergence.accepted = {
    tree: accepted?.tree ?? tree,
    seen: tree,
    inspections: inspections + 1,
    ...(known ? { edits: known } : {}),
    ...(left ? { left } : {}),
  }
}

export function recordTurn({ convergence: { accepted } }: RunState, work: Work): void {
  if (accepted && work.kind === 'turn' && work.task !== null && writes(work.purpose)) accepted.touched = true
}

type Left = NonNullable<Convergence['accepted']>['left']

function leftBy(outcome: PrepareOutcome | InspectOutcome, owner: string, left: Left): Left {
  const own = outcome.kind === 'inspect' ? (outcome.tamper?.filter(({ before }) => !before).map(findingKey) ?? []) : []
  return own.length === 0 ? left : { ...left, [owner]: [...new Set([...(left?.[owner] ?? []), ...own])] }
}

const isInPlace = ({ config }: RunState): boolean => config.workspace.mode === 'in-place'

/** The tree of an accepted pass is what the next pass is compared with. */
export function recordPass(state: RunState, { status, failure, tree }: Event<'iteration.finished'>): void {
  if (status !== 'failed' && failure === null && tree !== null && isInPlace(state))
    state.convergence.accepted = { tree, seen: tree }
}

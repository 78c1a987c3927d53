/** Weakened tests and checks: reported as a finding, and returned to the agent to restore when the guard blocks. */
import { andMore } from '../../../model/and-more.ts'
import type { Convergence } from '../../../model/convergence.ts'
import type { Failure } from '../../../model/event.ts'
import type { RunState } from '../../../model/state.ts'
import { findingKey, type TamperFinding } from '../../../model/tamper.ts'
import type { InspectWork } from '../../../model/work.ts'
import { permissionsFor } from '../../policies/permission.ts'
import { isRaised } from '../../policies/raised-findings.ts'
import { findingText, plannedText } from '../../policies/tamper.ts'
import { record } from '../../proposal.ts'
import { done, failed, notYet, type Step } from '../../step.ts'
import { inPlace } from '../../tasks/workspace-needs.ts'

const restoreThem =
  'Restore these tests and checks, and fix the code instead. '
  + 'If the task cannot be done without this change, answer `blocked` and give the reason.'

export interface Found {
  /** Findings that are not allowed. */
  open: readonly TamperFinding[]
  /** Findings that only the planner allows. */
  planned: readonly TamperFinding[]
}

/** Done when the task allows all findings or the policy only warns; fails after the finding is recorded. */
export function tampering(
  state: RunState,
  { open, planned }: Found,
  task: string | null,
  origin: string,
): Step<void, Failure> {
  if (open.length + planned.length === 0) return done(undefined)
  const lines = [...open.map(findingText), ...planned.map(plannedText)]
  const blocks = open.length > 0 && state.config.guard === 'block'
  const finding = { title: 'tests or checks were made weaker', detail: lines.join('\n'), task, origin }
  if (!isRaised(state, finding))
    return notYet(record({ type: 'finding.raised', severity: blocks ? 'BLOCKER' : 'WARNING', ...finding }))
  if (!blocks) return done(undefined)
  return failed({
    kind: 'tamper',
    error: null,
    summary: `tests or checks were made weaker: ${lines[0]}${andMore(open.length - 1)}`,
    detail: `${open.map((finding) => `- ${findingText(finding)}`).join('\n')}\n\n${restoreThem}`,
    fingerprint: `tamper:${open.map(findingKey).toSorted().join(',')}`,
    needs: permissionsFor(open),
  })
}

/** In place nothing is restored between attempts, so the inspection compares with the tree that was accepted last. */
export function guarding(state: RunState, since: string | null): Pick<InspectWork, 'guard' | 'accepted' | 'edits'> {
  if (!guards(state)) return {}
  const { tree = since, edits } = acceptedIn(state) ?? {}
  return { guard: true, ...(tree === null || tree === since ? {} : { accepted: tree }), ...(edits ? { edits } : {}) }
}

export const guards = ({ config }: RunState): boolean => (config.guard ?? 'off') !== 'off'

/** In place nothing can be overlaid on the user's files, so there the guard decides by what it reads. */
export const reverses = (state: RunState): boolean => guards(state) && !inPlace(state) && state.config.checks.length > 0

/**
 * The tree that a pass in place is compared with: the last accepted one, including a person's edits. Null elsewhere.
 */
export function acceptedTree(state: RunState): string | null {
  const accepted = acceptedIn(state)
  return accepted?.edits?.at(-1)?.to ?? accepted?.tree ?? null
}

const acceptedIn = (state: RunState): Convergence['accepted'] =>
  inPlace(state) ? state.convergence.accepted : undefined

/** Bounds the number of commands that the guard reads, with the programs that they call. */
const mostChecks = 400

/**
 * The commands whose programs are guarded, each once: the configured checks and those of active tasks first, then those
 * of all tasks that may run again.
 */
export function guardedChecks({ config, active, tasks }: RunState): string[] {
  const underWay = active.flatMap((id) => tasks[id]?.checks ?? [])
  const others = Object.values(tasks)
    .filter(({ status }) => status !== 'cancelled')
    .flatMap(({ checks }) => checks)
  return [...new Set([...config.checks.map(({ run }) => run), ...underWay, ...others])].slice(0, mostChecks)
}

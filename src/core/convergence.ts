/** How events change what is known of a run's convergence: what landed, what fell, what is proven. Judges nothing. */
import type { Convergence, FlakyRuns } from '../model/convergence.ts'
import type { Event } from '../model/event.ts'
import { writes } from '../model/purposes.ts'
import type { AttemptState, RunState, TaskState } from '../model/state.ts'
import { findingKey } from '../model/tamper.ts'
import type { InspectOutcome, PrepareOutcome, Work } from '../model/work.ts'
import { setStatus } from './task-graph.ts'

const mostFailures = 20

export const initialConvergence = (): Convergence => ({
  health: 'PROGRESSING',
  evidence: null,
  failures: [],
  before: null,
  fell: [],
  rose: [],
  worse: [],
  recoveries: {},
  proofs: {},
  audited: 0,
  red: [],
  kept: 0,
  next: null,
})

/** A task is done: that is progress, whatever failed before. */
export function noteDone(
  state: RunState,
  task: TaskState,
  { evidence, commit, files, was }: Event<'task.finished'>,
): void {
  const { convergence, landings, wave, met } = state
  convergence.failures = []
  // A recovery after which something was done has not failed.
  delete convergence.recoveries.STALLED
  convergence.rose.push(task.id)
  convergence.unaudited = (convergence.unaudited ?? 0) + 1
  delete convergence.accepted
  if (commit === null) return
  landings.push({ task: task.id, commit, wave, met, ...(files ? { files } : {}), ...(was ? { was } : {}) })
  for (const { check, noWorse } of evidence) if (!noWorse) convergence.proofs[check] = landings.length
}

/**
 * In place nothing is put back: what attempts that came to nothing have left is still theirs, and what a person changed
 * is accepted.
 */
export function noteTree(state: RunState, outcome: PrepareOutcome | InspectOutcome, owner: string): void {
  const { accepted } = state.convergence
  const { kind, tree } = outcome
  if (tree === null || !isInPlace(state) || (kind === 'inspect' && !accepted)) return
  const { seen, looks = 0, touched, rested, edits } = accepted ?? {}
  // Where nobody looked after a coder's turn, a person's part in it is not known.
  const isTheirs = kind === 'prepare' && rested === true && !touched && seen !== undefined && seen !== tree
  const known = isTheirs ? [...(edits ?? []), { from: seen, to: tree }] : edits
  const left = leftBy(outcome, owner, accepted?.left)
  state.convergence.accepted = {
    tree: accepted?.tree ?? tree,
    seen: tree,
    looks: looks + 1,
    ...(known ? { edits: known } : {}),
    ...(left ? { left } : {}),
  }
}

export function noteTurn({ convergence: { accepted } }: RunState, work: Work): void {
  if (accepted && work.kind === 'turn' && work.task !== null && writes(work.purpose)) accepted.touched = true
}

type Left = NonNullable<Convergence['accepted']>['left']

function leftBy(outcome: PrepareOutcome | InspectOutcome, owner: string, left: Left): Left {
  const own = outcome.kind === 'inspect' ? (outcome.tamper?.filter(({ before }) => !before).map(findingKey) ?? []) : []
  return own.length === 0 ? left : { ...left, [owner]: [...new Set([...(left?.[owner] ?? []), ...own])] }
}

const isInPlace = ({ config }: RunState): boolean => config.workspace.mode === 'in-place'

/** What a pass was accepted with is what the next one is measured by. */
export function notePass(state: RunState, { status, failure, tree }: Event<'iteration.finished'>): void {
  if (status !== 'failed' && failure === null && tree !== null && isInPlace(state))
    state.convergence.accepted = { tree, seen: tree }
}

export function noteProof(task: TaskState, { proof, unproven }: AttemptState): void {
  delete task.unproven
  Object.assign(task, { proof, ...(unproven === undefined ? {} : { unproven }) })
}

/** That others were quicker says nothing about the task. */
export function noteFailure({ convergence, wave }: RunState, event: Event<'attempt.failed'>): void {
  if (event.failure.kind === 'conflict') return
  const {
    task,
    failure: { kind, fingerprint, summary },
  } = event
  // Who came to nothing leaves the tree as it was, and returns to nothing.
  const tree = kind === 'agent' || kind === 'no-change' ? null : (event.tree ?? null)
  convergence.failures = [...convergence.failures, { task, fingerprint, summary, wave, tree }].slice(-mostFailures)
}

export function closeWave({ convergence }: RunState, { wave, next = null }: Event<'wave.closed'>): void {
  const { fell, rose, worse } = convergence
  Object.assign(convergence, { before: { wave, fell, rose, worse }, fell: [], rose: [], worse: [], next })
}

export function noteAudit(state: RunState, { landings, green, red = [], worse = [] }: Event<'branch.audited'>): void {
  const { convergence } = state
  Object.assign(convergence, { audited: landings, red })
  delete convergence.unaudited
  delete convergence.doubts
  convergence.worse.push(...worse)
  for (const check of green) convergence.proofs[check] = landings
}

/** Those concerned go about it another way. The attempts for that are the ladder's to grant. */
export function recover(state: RunState, { from, n, evidence, tasks }: Event<'recovery.begun'>): void {
  state.convergence.recoveries[from] = n
  state.convergence.next = null
  for (const id of tasks) {
    const task = state.tasks[id]
    if (task) task.detour = { n, why: evidence }
  }
}

/** A person looked at it and lets it go on: what was counted until then counts no more. */
export function beginAnew({ convergence, gate, loop }: RunState): void {
  // That person may have mended what was red.
  if (convergence.red.length > 0) {
    convergence.unaudited = (convergence.unaudited ?? 0) + 1
    for (const known of [gate, loop]) if (known) known.checks = []
  }
  if (convergence.accepted) convergence.accepted.rested = true
  const next = convergence.next?.do === 'escalate' ? null : convergence.next
  Object.assign(convergence, { recoveries: {}, failures: [], before: null, next })
}

/** Done no more: it begins again, with what spoke against it. */
export function undo(state: RunState, task: TaskState): void {
  if (task.status !== 'done') return
  Object.assign(task, {
    evidence: [],
    commit: null,
    summary: null,
    endedAt: null,
    verdict: null,
    conflicts: 0,
    attemptsLeft: Math.max(task.attemptsLeft, 1),
  })
  for (const key of ['proof', 'unproven', 'race'] as const) delete task[key]
  state.recent = state.recent.filter((id) => id !== task.id)
  setStatus(state, task, 'todo')
}

export function undone(state: RunState, { task: id, failure, revert, reverts }: Event<'task.undone'>): void {
  const task = state.tasks[id]
  if (!task) return
  undo(state, task)
  task.falls = (task.falls ?? 0) + 1
  state.convergence.fell.push(task.id)
  task.failures = [...task.failures.slice(-4), failure]
  if (revert === null) return
  delete state.convergence.doubts
  const { wave, met } = state
  state.landings.push({
    task: id,
    commit: revert,
    wave,
    met,
    revert: true,
    ...(reverts === undefined ? {} : { reverts }),
  })
}

/** Found once, it stays so; which of its tests are, adds up, unless it was once more than tests that can be named. */
export function noteFlaky(state: RunState, check: string, { tests, ...mixed }: FlakyRuns, task: string | null): void {
  const known = Object.hasOwn(state.flaky, check) ? state.flaky[check] : undefined
  const { tests: before, ...rest } = known ?? { check, ...mixed, task, tests: [] }
  state.flaky[check] = { ...rest, ...(before && tests ? { tests: [...new Set([...before, ...tests])] } : {}) }
}

/** When a check was last green is known only where somebody looked: at a checkpoint, or before the first task. */
function proveAt({ convergence: { proofs }, checkpoints, baseline }: RunState, name: string, landings: number): void {
  const known = checkpoints.find((checkpoint) => checkpoint.landings === landings)
  if (known?.passing.includes(name)) proofs[name] = landings
  else if (baseline?.checks.some(({ check, passed }) => check === name && passed)) proofs[name] = 0
  else delete proofs[name]
}

export function rollBack(
  state: RunState,
  { to, checkpoint, tasks, landings, kept, antiPattern }: Event<'rolled.back'>,
): void {
  const { convergence } = state
  state.landings = state.landings.slice(0, landings)
  state.checkpoints = state.checkpoints.filter((known) => known.landings <= landings)
  for (const id of tasks) {
    const task = state.tasks[id]
    if (task) undo(state, task)
  }
  for (const [name, at] of Object.entries(convergence.proofs)) if (at > landings) proveAt(state, name, landings)
  state.antiPatterns.push(kept === null ? antiPattern : { ...antiPattern, kept })
  // What was red further on says nothing of what is there now.
  if (landings < convergence.audited) Object.assign(convergence, { audited: landings, red: [] })
  delete convergence.doubts
  convergence.next = null
  if (state.status === 'running') return
  const detail = `rolled back to ${checkpoint ?? (to === state.base.commit ? 'the base' : to.slice(0, 8))}`
  Object.assign(state, {
    status: 'paused',
    reason: detail,
    endedAt: null,
    conclusion: null,
    pause: { kind: 'user', detail, hint: 'Go on: looper resume' },
  })
}

/** Inspects what an agent left: no change, an unresolved conflict, a secret, weakened tests, or a change to check. */
import type { Failure } from '../../../model/event.ts'
import type { RunState, TaskState } from '../../../model/state.ts'
import { scaffoldTask } from '../../../model/task.ts'
import { findingKey, type TamperFinding } from '../../../model/tamper.ts'
import type { InspectOutcome, InspectWork, Unresolved } from '../../../model/work.ts'
import { allowedByPlanner, askedOf, together, unasked } from '../../policies/asked-for.ts'
import { checksAreOff } from '../../policies/checks.ts'
import { done, notYet, performWhenOpen, type Step } from '../../step.ts'
import { inPlace, tracksTrees } from '../../tasks/workspace-needs.ts'
import { conflict, isLanding, openConflict } from './integrate.ts'
import { leaking } from './leaking.ts'
import { fail, fixOrFail, refused, type Standing } from './standing.ts'
import { editsText, unlandedEdits } from './submodule-edits.ts'
import { guarding, reverses, tampering, type Found } from './tampering.ts'

/**
 * Returns the attempt with the change that was inspected. An agent that reports "complete" without a change has not
 * done its task, unless the task `mayChangeNothing`. One that reports more to do (`isUnfinished`) may continue.
 */
export function inspect(standing: Standing, isUnfinished: boolean): Step<Standing> {
  const { state, since, workspace, ids } = standing
  if (!tracksTrees(state)) return done(withTree(standing, null))
  const id = ids.inspect
  const open = openConflict(standing)
  const step = performWhenOpen(state, { kind: 'inspect', id }, ids.owner, (): InspectWork => ({
    kind: 'inspect',
    id,
    workspace,
    task: standing.task.id,
    base: since,
    restore: null,
    ...(open ? { resolves: open } : {}),
    ...guarding(state, since),
  }))
  if (step.status === 'not-yet') return step
  if (step.status === 'failed') return notYet(refused(standing, step.failure))
  const seen = step.outcome
  const { tree, fileCount, insertions, deletions, unresolved = [], files, hashes, was } = seen
  const { newTests, tamper, touchesTests, submodules = [] } = seen
  const after = withTree(standing, tree)
  if (unresolved.length > 0) return notYet(fail(after, unresolvedFailure(unresolved, open?.theirs)))
  const edits = unlandedEdits(state, submodules, standing.task.id, id)
  if (edits) return notYet(edits)
  const refusal = refusalOf(after, seen, id, isUnfinished)
  if (refusal.status === 'not-yet') return refusal
  if (refusal.status === 'failed') return notYet(fixOrFail(after, refusal.failure, null))
  if (isUnfinished || fileCount > 0 || mayChangeNothing(standing)) {
    if (!isUnfinished && fileCount === 0) after.unchanged = true
    after.size = insertions + deletions
    if (hashes) after.files = hashes
    if (hashes && files.length < fileCount) after.isCut = true
    if (was) after.was = Object.fromEntries(files.map((path, at) => [path, was[at] ?? null]))
    if (newTests) after.newTests = newTests
    if (tamper) after.tamper = tamper
    if (touchesTests) after.touchesTests = touchesTests
    return done(after)
  }
  const inner = editsText(submodules)
  const beside = inner === '' ? '' : ' but files inside a submodule that are not committed there'
  return notYet(
    fail(after, {
      kind: 'no-change',
      error: null,
      summary: `the agent said "complete" but changed nothing${beside}`,
      detail: inner,
      fingerprint: 'no-change',
    }),
  )
}

/**
 * In place with checks off, a task may change nothing: it is done, and views say so. A scaffold may be unneeded: the
 * plan can have no structure that several tasks share.
 */
const mayChangeNothing = ({ state, task }: Standing): boolean =>
  task.id === scaffoldTask || (inPlace(state) && checksAreOff(state.config))

/**
 * Lists every key for speed: V8 gives each copy by spread a hidden class of its own, so that no later step can cache
 * where the fields are.
 */
const withTree = (
  { state, task, attempt, id, ids, since, base, begun, workspace }: Standing,
  tree: string | null,
): Standing => ({ state, task, attempt, id, ids, since, base, tree, begun, workspace, size: 0 })

/** Fails when the change contains a secret or weakens tests. */
function refusalOf(
  standing: Standing,
  seen: InspectOutcome,
  inspection: string,
  isUnfinished: boolean,
): Step<void, Failure> {
  const { state, task } = standing
  const leaked = leaking(state, seen, task.id, inspection)
  if (leaked.status !== 'done' || isUnfinished || reverses(state)) return leaked
  if ((seen.tamper ?? []).length === 0 || isLanding(standing)) return leaked
  return tampering(state, found(standing, seen), task.id, inspection)
}

const unresolvedText: Record<Unresolved['why'], (file: string) => string> = {
  markers: (file) => `conflict markers are left in ${file}`,
  'one-side': (file) => `only one side is kept of ${file}`,
  'left-over': (file) => `left over from the merge is ${file}`,
}

/**
 * Fails the attempt instead of asking for a fix: a new attempt starts from what has landed, so neither side is lost.
 */
function unresolvedFailure(unresolved: readonly Unresolved[], change?: string): Failure {
  const lines = unresolved.map(({ file, why }) => unresolvedText[why](file))
  const before =
    change === undefined ? [] : ['', `The task's change as it was before the conflict is commit ${change}.`]
  return {
    ...conflict(unresolved.map(({ file }) => file)),
    summary: `the conflict was not resolved: ${lines.slice(0, 5).join(', ')}`,
    detail: [...lines.map((line) => `- ${line}`), ...before].join('\n'),
  }
}

/**
 * Judges each finding by what its maker's task asks for. A finding that was there `before` belongs to the tasks that
 * left it in place; all others belong to this task.
 */
function found({ state, task }: Standing, { tamper = [] }: InspectOutcome): Found {
  const left = Object.entries(state.convergence.accepted?.left ?? {})
  const groups = new Map<string, TamperFinding[]>()
  for (const finding of tamper) {
    const makers = finding.before
      ? left.filter(([, keys]) => keys.includes(findingKey(finding))).map(([id]) => id)
      : [task.id]
    groups.set(makers.join(' '), [...(groups.get(makers.join(' ')) ?? []), finding])
  }
  const judged = [...groups].map(([makers, findings]) => {
    const asked = together(makersOf(state, makers).map((maker) => askedOf(state, maker)))
    return { open: unasked(asked, findings), planned: allowedByPlanner(asked, findings) }
  })
  return { open: judged.flatMap(({ open }) => open), planned: judged.flatMap(({ planned }) => planned) }
}

/** When no inspection followed the turn that made it, any task with attempts that is not done may be the maker. */
function makersOf({ order, tasks }: RunState, makers: string): TaskState[] {
  const isKnown = makers !== ''
  return (isKnown ? makers.split(' ') : order)
    .flatMap((id) => tasks[id] ?? [])
    .filter(({ attempts, status }) => isKnown || (attempts > 0 && status !== 'done'))
}

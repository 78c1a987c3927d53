/**
 * The state of one attempt at a task, the checks that apply to it, and how it fails. All steps of an attempt use it.
 */
import type { AgentError } from '../../../model/agent-error.ts'
import type { Event, Failure } from '../../../model/event.ts'
import type { AttemptState, RunState, TaskState } from '../../../model/state.ts'
import type { TamperFinding } from '../../../model/tamper.ts'
import type { FailureOutcome, JudgedChange, WorkspaceId } from '../../../model/work.ts'
import { acceptanceChecks } from '../../policies/audit.ts'
import { checksFor, inheritedChecks, type PlannedCheck } from '../../policies/checks.ts'
import { touchedChecks } from '../../policies/touched-checks.ts'
import { errorLine } from '../../policies/error-line.ts'
import { isLeftAgain, nextRung, within } from '../../policies/ladder.ts'
import { environment, pause, record, type Proposal } from '../../proposal.ts'
import { findTask } from '../../tasks/task-graph.ts'
import type { AttemptIds } from './attempt-ids.ts'
import { reverses } from './tampering.ts'

/** Everything that the steps of an attempt need to know. */
export interface Standing {
  state: RunState
  task: TaskState
  attempt: AttemptState
  /** Prefix of its work ids, `T003/a2`. */
  id: string
  /** The work ids of its steps in this round. */
  ids: AttemptIds
  /** The tree or commit that its change is compared with, and the commit it is built on. */
  since: string | null
  base: string | null
  /** The tree that its coder left; null when trees are not tracked. */
  tree: string | null
  /** The hash of each changed file after the change. */
  files?: Record<string, string | null>
  /** `files` has only the first ones. */
  isCut?: true
  /** The hash of each changed file before the change. */
  was?: Record<string, string | null>
  /** The commit it started from, before a merge moved it. */
  begun: string | null
  /** The workspace of the attempt. */
  workspace: WorkspaceId
  /** New files with tests. */
  newTests?: string[]
  /** What the tamper guard found, and whether the change touches tests other than by new files. */
  tamper?: TamperFinding[]
  touchesTests?: boolean
  /** Lines added and removed. */
  size?: number
  /** The agent changed nothing, and the task may. */
  unchanged?: true
}

/** The change of this round, for work that judges it. */
export const changeOf = ({ task, attempt }: Standing): JudgedChange => ({
  task: task.id,
  attempt: attempt.n,
  round: attempt.round,
})

/**
 * The configured checks that its change touches, the task's own checks, and those of split tasks for which it is the
 * last part. After a conflict, also the acceptance checks of the tasks on the other side.
 */
export function checksOf({ state, task, attempt, begun, files = {}, isCut }: Standing): readonly PlannedCheck[] {
  const planned = touchedChecks(checksFor(state, task), isCut ? {} : files)
  const own = distinct(
    task.parent === null ? planned : [...planned, ...inheritedChecks(state, task, attempt.startedAt)],
  )
  if (!attempt.conflicted || own.length === 0) return own
  const since = state.landings.slice(state.landings.findIndex(({ commit }) => commit === begun) + 1)
  const others = since.flatMap(({ task: id }) => findTask(state, id) ?? []).filter(({ status }) => status === 'done')
  return distinct([...own, ...acceptanceChecks(state, others)])
}

function distinct(checks: readonly PlannedCheck[]): readonly PlannedCheck[] {
  if (checks.length < 2) return checks
  return checks.filter(({ name }, index) => checks.findIndex((other) => other.name === name) === index)
}

/** Test names are recorded only when they will be compared. */
export const namesFor = ({ state, touchesTests, newTests = [] }: Standing): { names?: true } =>
  (touchesTests && reverses(state)) || (newTests.length > 0 && state.config.proof === true) ? { names: true } : {}

/** An agent error that remains after all retries ends the attempt. */
export const failsAttempt =
  (standing: Standing) =>
  ({ kind, message }: AgentError): Proposal =>
    fail(standing, {
      kind: 'agent',
      error: kind,
      summary: `${kind}: ${errorLine(message)}`,
      detail: message,
      fingerprint: `agent:${kind}`,
    })

/** `moved`: a merge has moved the workspace to a new base, and the fix starts from there. */
export function fixOrFail(
  standing: Standing,
  failure: Failure,
  moved: { base: string; tree: string } | null,
): Proposal {
  const { state, task, attempt, tree } = standing
  if (!within(attempt.round, state.config.limits.fixCycles)) return fail(standing, failure)
  const repeated = repeats(standing, failure)
  if (repeated !== null) return fail(standing, failure, { repeated })
  return record({
    type: 'attempt.fixing',
    task: task.id,
    attempt: attempt.n,
    fix: attempt.round + 1,
    failure,
    base: moved?.base ?? attempt.base,
    tree: moved?.tree ?? tree,
  })
}

/** The same failure this often in a row, unchanged, ends the attempt: another fix would repeat it. */
const mostRepeats = 3
/** An agent has few means to make a check run that cannot. */
const mostUnable = 2

/** An unfinished task goes on, and a conflict depends on what lands meanwhile. */
function repeats({ task, attempt, tree }: Standing, failure: Failure): Event<'attempt.failed'>['repeated'] | null {
  const { kind, fingerprint, cause } = failure
  if (fingerprint === null || kind === 'unfinished' || kind === 'conflict') return null
  if (attempt.round === 0 && isLeftAgain(task, left(failure, tree))) return 'tree'
  const most = cause === undefined ? mostRepeats : mostUnable
  return attempt.failure?.fingerprint === fingerprint && (attempt.repeats ?? 1) + 1 >= most ? 'failure' : null
}

export function fail(
  { state, task, attempt, tree }: Standing,
  failure: Failure,
  more: Pick<Event<'attempt.failed'>, 'repeated'> = {},
): Proposal {
  const alone = (task.racers?.length ?? 0) === 0
  const next = alone ? nextRung(state, task, left(failure, tree)) : 'none'
  return record({ type: 'attempt.failed', task: task.id, attempt: attempt.n, failure, next, tree, ...more })
}

const left = (failure: Failure, tree: string | null): Failure & { tree?: string } =>
  tree === null ? failure : { ...failure, tree }

/** When git refuses what the agent left, the attempt fails, not the run. */
export function refused(standing: Standing, failure: FailureOutcome): Proposal {
  if (failure.code !== 'WORKSPACE_CONTENT') return pause(environment(failure))
  return fail(standing, {
    kind: 'workspace',
    error: null,
    summary: `git refuses the change: ${failure.message}`,
    detail: failure.message,
    fingerprint: `content:${failure.message}`,
  })
}

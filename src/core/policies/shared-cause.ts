/** The pause for a cause that several tasks share: no agent is asked to fix what no task has broken. */
import { firstNames } from '../../model/and-more.ts'
import type { CheckRecord } from '../../model/check-record.ts'
import type { PauseReason, Remedy } from '../../model/pause.ts'
import { resumeAfter } from '../../model/resume-hint.ts'
import type { RunState } from '../../model/state.ts'
import type { CheckOutcome } from '../../model/work.ts'
import type { PlannedCheck } from './checks.ts'
import { causeLine, lastLines } from './preflight.ts'
import { remediesFor } from './remedies.ts'
import { failureLine } from '../../model/failure-lines.ts'

const nameOf = ({ hidden, name }: PlannedCheck): string => (hidden ? 'a held-out check' : `the check ${name}`)

/** What a run of the check showed. */
type RedCheck = Pick<CheckOutcome, 'cannotRun' | 'tail'>

/** Whether a configured check that cannot run could run before. A command that an agent proposed never counts. */
export const isNewlyUnable = ({ baseline }: RunState, { name, proposed }: PlannedCheck): boolean =>
  !proposed && baseline?.checks.find(({ check }) => check === name)?.cannotRun === undefined

/** The check is red on the run branch, without the change of any attempt under way. */
export function brokenOnBranch(state: RunState, check: PlannedCheck, seen: RedCheck): PauseReason {
  const { cannotRun, tail } = seen
  const what = cannotRun
    ? `${nameOf(check)} cannot run any more: ${causeLine(cannotRun)}`
    : `${nameOf(check)} fails on the run branch itself, where it passed before; no task can repair that`
  const waysOut = [...outsideRemedies(state, check, cannotRun), repairFirst(state), anotherCheck(state)]
  return { ...reasonFor(waysOut), detail: what, ...outputOf(check, tail) }
}

/** Attempts at several tasks end with the same cause, although the run branch does not have it. */
export function sharedByTasks(
  state: RunState,
  check: PlannedCheck,
  { cannotRun, tail }: CheckRecord,
  tasks: readonly string[],
): PauseReason {
  const what = cannotRun ? 'cannot run' : 'fails in the same way'
  const cause = cannotRun ? causeLine(cannotRun) : check.hidden ? 'its output is held out' : failureLine(tail)
  const waysOut = [...outsideRemedies(state, check, cannotRun), ...skipped(state, tasks), anotherCheck(state)]
  return {
    ...reasonFor(waysOut),
    detail: `${nameOf(check)} ${what} with the changes of ${namesOf(tasks)}: ${cause}`,
    ...outputOf(check, tail),
  }
}

/** Short, so that the cause after it is seen. */
const namesOf = (tasks: readonly string[]): string => (tasks.length > 2 ? firstNames(tasks, 2) : tasks.join(' and '))

/** The output of a held-out check would reach agents that read the journal. */
const outputOf = ({ hidden }: PlannedCheck, tail: string): Pick<PauseReason, 'output'> =>
  hidden ? {} : { output: lastLines(tail) }

/** The hint names the first way out; a resume uses a changed setting only with its option. */
function reasonFor(remedies: Remedy[]): Omit<PauseReason, 'detail'> {
  const [{ text } = elsewhere] = remedies
  const options = remedies.some(({ set }) => set !== undefined) ? '--settings' : ''
  return { kind: 'health', ...resumeAfter(text, options), remedies }
}

const elsewhere: Remedy = { text: 'Repair what the check needs outside the repository', command: null }

/**
 * A run that has begun keeps its checks, and a commit on another branch does not reach it. Only remedies outside both
 * help.
 */
function outsideRemedies(state: RunState, check: PlannedCheck, cannotRun: CheckOutcome['cannotRun']): Remedy[] {
  const command = 'shell' in check.run ? check.run.shell : check.name
  const all = cannotRun && cannotRun.kind !== 'target' ? remediesFor(state, check.name, command, cannotRun) : []
  const remedies = all.filter(({ set }) => set === undefined || set.key.startsWith('workspace.'))
  return remedies.length === 0 ? [elsewhere] : remedies
}

/** Where the files of the run branch are the cause: a new run that starts from them repairs the check first. */
function repairFirst({ run, landings }: RunState): Remedy {
  const start = 'looper run "<goal>" --baseline fix-first'
  return landings.length === 0
    ? { text: 'Start a new run that repairs the check first', command: start }
    : {
        text: 'Apply what is done, and start a new run that repairs the check first',
        command: `looper apply ${run} && ${start}`,
      }
}

/** A check that two tasks break in the same way stays with one task, which may then repair it. */
const skipped = ({ run }: RunState, tasks: readonly string[]): Remedy[] =>
  tasks
    .slice(-1)
    .map((task) => ({
      text: `Skip ${task}: a single task with this cause repairs it itself`,
      command: `looper task skip ${task} --run ${run}`,
    }))

const anotherCheck = ({ run }: RunState): Remedy => ({
  text: 'Go on in a new run with another check',
  command: `looper fork ${run} --at last --check "<command>"`,
})

/** Which checks a task must pass, and what a check's outcome means. */
import { firstNames } from '../../model/and-more.ts'
import { checkTimeoutMinutes, type RunConfig } from '../../model/config.ts'
import type { CheckRecord } from '../../model/event.ts'
import type { RunState, TaskState } from '../../model/state.ts'
import type { CheckOutcome, CheckWork } from '../../model/work.ts'
import { parseProposedCheck } from './proposed-check.ts'

export interface PlannedCheck {
  name: string
  run: CheckWork['run']
  timeoutMs: number
  /** Whether an agent proposed it; if not, a person configured it. */
  proposed: boolean
  /** Not shown to agents. */
  hidden: boolean
  /** Globs of the files that it is about; absent: all. */
  paths?: readonly string[]
}

/** The configured checks, then the task's own. When checks are off, the task's own do not run either. */
export function checksFor({ config }: { config: WithChecks }, task: TaskState | null): readonly PlannedCheck[] {
  if (checksAreOff(config)) return []
  const { all, ofTasks } = configuredChecks(config.checks)
  if (task === null) return all
  return task.checks.length === 0 ? ofTasks : [...ofTasks, ...ownChecks({ config }, task)]
}

type WithChecks = Pick<RunConfig, 'checks' | 'noChecksFound'>

/** Whether the user has switched checks off. A project in which none are found may have checks of tasks. */
export const checksAreOff = ({ checks, noChecksFound }: WithChecks): boolean =>
  checks.length === 0 && noChecksFound !== true

type ConfiguredChecks = RunConfig['checks']

/** `ofTasks`: without those that run only on whole waves. */
interface Configured {
  all: readonly PlannedCheck[]
  ofTasks: readonly PlannedCheck[]
}

/** Every decision needs the checks of every active task, so what follows from a configuration is kept beside it. */
const configured = new WeakMap<ConfiguredChecks, Configured>()

function configuredChecks(checks: ConfiguredChecks): Configured {
  const kept = configured.get(checks)
  if (kept) return kept
  const fresh = {
    all: checks.map(plannedCheck),
    ofTasks: checks.filter(({ when }) => when !== 'wave').map(plannedCheck),
  }
  configured.set(checks, fresh)
  return fresh
}

const plannedCheck = ({
  name,
  run,
  timeoutMinutes = checkTimeoutMinutes,
  hidden = false,
  paths,
}: ConfiguredChecks[number]): PlannedCheck => ({
  name,
  run: { shell: run },
  timeoutMs: timeoutMinutes * 60_000,
  proposed: false,
  hidden,
  ...(paths === undefined || paths.length === 0 ? {} : { paths }),
})

const proposed = new WeakMap<readonly string[], { checks: ConfiguredChecks; planned: readonly PlannedCheck[] }>()

/** The checks proposed for this task alone. */
export function ownChecks(
  { config }: { config: WithChecks },
  task: Pick<TaskState, 'checks'>,
): readonly PlannedCheck[] {
  const { checks } = config
  if (checksAreOff(config) || task.checks.length === 0) return []
  const kept = proposed.get(task.checks)
  if (kept?.checks === checks) return kept.planned
  const planned = readProposed(checks, task)
  proposed.set(task.checks, { checks, planned })
  return planned
}

function readProposed(checks: ConfiguredChecks, task: Pick<TaskState, 'checks'>): PlannedCheck[] {
  const known = new Set(checks.flatMap(({ name, run }) => [name, run]))
  return [...new Set(task.checks)]
    .filter((text) => !known.has(text))
    .flatMap((text): PlannedCheck[] => {
      const argv = parseProposedCheck(text)
      return argv
        ? [{ name: text, run: { argv }, timeoutMs: checkTimeoutMinutes * 60_000, proposed: true, hidden: false }]
        : []
    })
}

/** The split tasks that this one is a part of, innermost first. */
export function wholesOf(state: RunState, { parent }: TaskState): TaskState[] {
  const whole = parent === null ? undefined : state.tasks[parent]
  return whole ? [whole, ...wholesOf(state, whole)] : []
}

/** The checks of split tasks for which this task is the last part: all other parts were done at the time `at`. */
export function inheritedChecks(state: RunState, task: TaskState, at: string): PlannedCheck[] {
  const isDone = ({ status, endedAt, children }: TaskState): boolean =>
    status === 'split' ? children.every(known) : status === 'done' && (endedAt ?? '') <= at
  const known = (id: string): boolean => {
    const part = state.tasks[id]
    return part !== undefined && isDone(part)
  }
  const checks: PlannedCheck[] = []
  let part = task.id
  for (const whole of wholesOf(state, task)) {
    if (!whole.children.every((id) => id === part || known(id))) break
    checks.push(...ownChecks(state, whole))
    part = whole.id
  }
  return checks
}

const mostNamed = 3

/** Why a check proves nothing when another process changed its files. */
export function alteredNote(paths: readonly string[]): string {
  const names = paths.map((path) => `\`${path}\``)
  return `${firstNames(names, mostNamed)} changed while the check ran`
}

export type Judged = Pick<CheckRecord, 'passed' | 'usable' | 'note'>

/**
 * A check that runs no test does not pass. A proposed command that cannot be run proves nothing and does not count
 * against the task.
 */
export function judgeCheck(outcome: CheckOutcome, proposed: boolean): Judged {
  if (proposed && (!outcome.started || outcome.exitCode === 126 || outcome.exitCode === 127)) {
    return { passed: false, usable: false, note: 'cannot be run, so it does not count' }
  }
  if (outcome.altered) return { passed: false, usable: true, note: alteredNote(outcome.altered) }
  if (outcome.timedOut) return { passed: false, usable: true, note: 'timed out' }
  if (outcome.exitCode === 0 && outcome.tests === 0)
    return { passed: false, usable: true, note: 'no test was executed' }
  return { passed: outcome.exitCode === 0, usable: true, note: null }
}

/** What proves a criterion: a check that proves exactly it, a judge's opinion, or nothing. */
import type { CheckConfig } from '../../model/config.ts'
import type { TaskState } from '../../model/state.ts'

export type Proof =
  | { kind: 'check'; check: string }
  | { kind: 'judged'; score: number }
  | { kind: 'task-checks'; checks: string[] }
  | { kind: 'none' }

/** Matches "this command passes". The exit code does not prove any further claim of the criterion. */
const saysItPasses =
  /^(?:run(?:ning)?|the command)?\s*(?:passes|pass|succeeds|works|is green|exits (?:with )?(?:code )?0|must pass)?$/

export function proofOf(criterion: string, task: TaskState, configured: readonly CheckConfig[]): Proof {
  if (task.status !== 'done') return { kind: 'none' }
  const proving = task.evidence.find(
    ({ check }) => states(criterion, check) || states(criterion, commandOf(check, configured)),
  )
  if (proving) return { kind: 'check', check: proving.check }
  if (task.verdict?.approved) return { kind: 'judged', score: task.verdict.score }
  return task.evidence.length > 0
    ? { kind: 'task-checks', checks: task.evidence.map(({ check }) => check) }
    : { kind: 'none' }
}

const commandOf = (name: string, configured: readonly CheckConfig[]): string | null =>
  configured.find((check) => check.name === name)?.run ?? null

function states(criterion: string, command: string | null): boolean {
  if (command === null || !criterion.includes(command)) return false
  const rest = criterion
    .replace(command, ' ')
    .replace(/[`"'.]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
  return saysItPasses.test(rest)
}

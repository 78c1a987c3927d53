/** Points that a person should review after a run, although none of them stopped it. */
import { onlyTests } from '../../model/only-tests.ts'
import type { RunState, TaskState } from '../../model/state.ts'
import { plural } from '../text/format.ts'
import { facts, listed } from '../facts/progress.ts'

/** One line; empty when there is nothing. */
export function attentionText(state: RunState): string {
  const red = redAtTheEnd(state)
  const without = Object.values(state.tasks).filter(({ status, proof }) => status === 'done' && proof === 'no proof')
  const unproved = without.filter(({ unproven }) => unproven !== onlyTests).map(nameOf)
  const tests = without.filter(({ unproven }) => unproven === onlyTests).map(nameOf)
  const idle = Object.values(state.tasks)
    .filter(({ unchanged }) => unchanged)
    .map(nameOf)
  const isThere = (task: string | null): boolean => task === null || state.tasks[task]?.status === 'done'
  const warned = state.findings.filter(({ severity, task }) => severity === 'WARNING' && isThere(task))
  return facts(
    red.length > 0 && `${plural(red.length, 'check')} red (${listed(red)})`,
    idle.length > 0 && `${plural(idle.length, 'task')} changed nothing (${listed(idle)})`,
    unproved.length > 0 && `${plural(unproved.length, 'task')} without proof (${listed(unproved)})`,
    tests.length > 0 && `${plural(tests.length, 'task')} changed only tests (${listed(tests)})`,
    warned.length > 0 && `${plural(warned.length, 'warning')}${of(warned.flatMap(({ task }) => task ?? []))}`,
  )
}

const nameOf = ({ id }: TaskState): string => id
const of = (tasks: readonly string[]): string => (tasks.length === 0 ? '' : ` (${listed([...new Set(tasks)])})`)

/** Checks that fail on the final tree: in the gate, else in the last audit if nothing has landed since. */
function redAtTheEnd(state: RunState): string[] {
  const {
    gate,
    convergence: { red, audited, unaudited = 0 },
    landings,
  } = state
  const ran = gateHolds(state) ? gate.checks : []
  const known = new Set(ran.map(({ check }) => check))
  const found = audited === landings.length && unaudited === 0 ? red.filter((check) => !known.has(check)) : []
  return [...ran.filter(({ passed, usable }) => usable && !passed).map(({ check }) => check), ...found]
}

/** Whether the gate's result is still valid: the run has neither continued nor rolled back since. */
export const gateHolds = ({ stage, conclusion, counts }: RunState): boolean =>
  stage === 'gate' || (conclusion !== null && counts.todo + counts.doing + counts.failed + counts.blocked === 0)

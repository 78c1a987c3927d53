/** Compares the recorded end of a completed run with the evidence that its journal must contain. */
import type { CheckRecord } from '../../model/event.ts'
import type { RunState } from '../../model/state.ts'
import { checksFor } from '../policies/checks.ts'
import { isCheckedAtEnd } from '../stages/gate.ts'
import { blamed } from '../stages/attempt/checking.ts'

/** The recorded final checks, in the order in which they ran. */
export const finalChecksOf = ({ gate, loop }: RunState): CheckRecord[] =>
  [...gate.checks, ...(loop?.checks ?? [])].filter(({ round }) => round === gate.round)

/** `state` is the state after `run.ended` with the status `completed`. Returns null when the evidence is complete. */
export function unprovenEnd(state: RunState): string | null {
  const isConcluded = state.conclusion?.status === 'completed'
  const missing = isConcluded ? missingEvidence(state) : 'its last stage did not end that way'
  return missing === null ? null : `the run is recorded as completed, but ${missing}`
}

function missingEvidence(state: RunState): string | null {
  const { stages, order, tasks, config, gate } = state
  const isGated = stages.includes('gate')
  const open = isGated ? order.find((id) => ['todo', 'doing'].includes(tasks[id]?.status ?? '')) : undefined
  if (open !== undefined) return `${open} is not done`
  if (isGated && config.review && !gate.verdict?.approved) return 'its goal was not verified'
  return isGated || isCheckedAtEnd(state) ? missingCheck(state) : null
}

function missingCheck(state: RunState): string | null {
  const records = finalChecksOf(state)
  const missing = checksFor(state, null).find(({ name }) => !records.some(({ check }) => check === name))
  if (missing) return `the check ${JSON.stringify(missing.name)} did not run at its end`
  const [red] = blamed(records)
  return red ? `the check ${JSON.stringify(red.check)} was red at its end` : null
}

/** The row of `looper doctor --checks` about a check that was run: its result, its time, and the end of its output. */
import { judgeCheck } from '../../core/policies/checks.ts'
import { causeLine } from '../../core/policies/preflight.ts'
import { failureLines } from '../../model/failure-lines.ts'
import type { CheckConfig } from '../../model/config.ts'
import type { CheckOutcome } from '../../model/work.ts'
import type { DoctorRow } from '../../api/upkeep.ts'
import { facts } from '../../views/facts/progress.ts'
import { duration, plural } from '../../views/text/format.ts'

const mostLines = 5
const remedies =
  'Install what is missing, have "workspace.setup" install it, or change the check in .looper/config.json.'

export function outcomeRow({ name, run }: Pick<CheckConfig, 'name' | 'run'>, outcome: CheckOutcome): DoctorRow {
  const { exitCode, durationMs, tests, cannotRun, tail } = outcome
  const { passed, note } = judgeCheck(outcome, false)
  const took = duration(durationMs)
  const counted = tests !== null && tests > 0 && plural(tests, 'test')
  const row = { check: `check ${name}`, ok: passed }
  if (passed) return { ...row, detail: facts(run, 'passed', counted, took), hint: null }
  const how = note ?? (exitCode === null ? 'it did not end by itself' : `exit ${exitCode}`)
  const result = cannotRun ? `cannot run: ${causeLine(cannotRun)}` : `failed (${how})`
  const last = failureLines(tail, mostLines)
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
  const hint = [...last, ...(cannotRun ? [remedies] : [])].join('\n')
  return { ...row, detail: facts(run, result, counted, took), hint: hint === '' ? null : hint }
}

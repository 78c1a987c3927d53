/** The goal as a whole, in report.md: the result of every check at the end, and the judge's verdict. */
import type { CheckRecord } from '../../model/event.ts'
import type { RunState } from '../../model/state.ts'
import type { Evidence } from '../../model/task.ts'
import { gateHolds } from '../status/attention.ts'
import { duration, plural } from '../text/format.ts'
import { mdCode, mdLine } from '../text/markdown.ts'
import { facts } from '../facts/progress.ts'
import { issueLines } from './report-task.ts'
import { scoreWords } from '../facts/verdict-words.ts'

export function goalLines(state: RunState): string[] {
  const {
    config,
    loop,
    gate: { verdict },
  } = state
  const where = state.status === 'running' ? 'has not reached the gate yet' : 'did not reach the gate'
  if (!gateHolds(state)) return loop ? [] : [`- Not verified: the run ${where}.`]
  const checked = checkLines(state)
  if (loop && checked.length === 0 && verdict === null) return []
  const known = [...checked, ...judgedLines(state)]
  return [
    ...known,
    ...(config.checks.length === 0 && checked.length === 0 ? [noCheckText(state)] : []),
    ...(config.review || loop ? [] : ['- No reviewer judged it: reviews are off.']),
    ...(known.length === 0 && config.checks.length > 0 ? ['- Not verified: no check ran on the final result.'] : []),
  ]
}

const noCheckText = ({ config }: RunState): string =>
  `- No check was run: ${config.noChecksFound ? 'the project has none' : 'checks are off'}.`

function judgedLines({ gate: { verdict } }: RunState): string[] {
  if (verdict === null) return []
  const words = verdict.summary === '' ? '' : `: ${mdLine(verdict.summary, 400)}`
  return [
    `- Judged ${verdict.approved ? 'met' : '**not met**'} by supervisor (${scoreWords(verdict)})${words}`,
    ...issueLines(verdict),
    ...verdict.missing.map((missing) => `- Missing: ${mdLine(missing, 300)}`),
  ]
}

/** The gate does not repeat a check that passed on exactly this tree when the last task landed. */
function checkLines(state: RunState): string[] {
  const { gate, config } = state
  const ran = new Set(gate.checks.map(({ check }) => check))
  const done = state.order
    .flatMap((id) => state.tasks[id] ?? [])
    .filter(({ status }) => status === 'done')
    .toSorted((a, b) => ((a.endedAt ?? '') > (b.endedAt ?? '') ? -1 : 1))
  const tree =
    gate.checks.find((check) => check.tree !== null)?.tree
    ?? done[0]?.evidence.find((entry) => entry.tree !== null)?.tree
  const seen = done.flatMap(({ id, evidence }) =>
    evidence
      .filter((entry) => entry.tree !== null && entry.tree === tree)
      .map((entry): [string, string] => [entry.check, seenText(entry, id)]),
  )
  const green = new Map(seen.toReversed())
  return [
    ...gate.checks.map(checkText),
    ...config.checks.filter(({ name }) => !ran.has(name)).flatMap(({ name }) => green.get(name) ?? []),
  ]
}

function seenText({ check, exitCode, durationMs, flaky, noWorse }: Evidence, task: string): string {
  const how = facts(`exit ${exitCode}`, flaky && 'flaky', duration(durationMs), `seen when ${task} landed`)
  return `- Check ${mdCode(check, 80)} ${noWorse ? 'is **no worse than before**' : 'passed'} on the final tree: ${how}`
}

function checkText(check: CheckRecord): string {
  const result = check.passed ? 'passed' : check.usable ? excused(check) : 'does not count'
  const exit = check.exitCode === null ? 'no exit code' : `exit ${check.exitCode}`
  return `- Check ${mdCode(check.check, 80)} ${result}: ${facts(
    exit,
    check.tests !== null && plural(check.tests, 'test'),
    duration(check.durationMs),
    check.note !== null && mdLine(check.note, 120),
  )}`
}

const excused = ({ excuse }: CheckRecord): string =>
  excuse === undefined ? '**failed**' : `**failed**, ${excuses[excuse]}`
const excuses = {
  flaky: 'but it is flaky',
  'same-as-base': 'as it did before the first task',
  'no-worse': 'but no worse than before the first task',
} as const

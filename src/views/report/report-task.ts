/** One task in report.md: its result and the evidence for each of its criteria. */
import { onlyTests } from '../../model/only-tests.ts'
import type { CheckConfig } from '../../model/config.ts'
import type { PastFailure, RunState, TaskState } from '../../model/state.ts'
import type { Verdict } from '../../model/verdict.ts'
import { duration, plural, spent } from '../text/format.ts'
import { mdCode, mdLine } from '../text/markdown.ts'
import { permissionText } from '../facts/permission-text.ts'
import { blockedText, facts, isOlder, isUnproven, landedNothing, taskMarks } from '../facts/progress.ts'
import { proofOf, type Proof } from './proof.ts'
import { testsOf } from './report-failures.ts'
import { scoreWords } from '../facts/verdict-words.ts'

export function reportTask(task: TaskState, state: RunState): string[] {
  const effort = facts(
    plural(task.attempts, 'attempt'),
    fixesText(task),
    task.tookMs !== undefined && duration(task.tookMs),
    spent(task.usage),
    task.commit !== null && `commit ${mdCode(task.commit.slice(0, 10))}`,
    landedNothing(task, state) && 'no commit: nothing was left to change after the merge',
  )
  return [
    `### ${taskMarks[task.status]} ${task.id} ${mdLine(task.title, 160)}`,
    '',
    `- Result: ${resultText(task)}`,
    ...(task.summary !== null && task.summary !== '' ? [`- Done: ${mdLine(task.summary, 600)}`] : []),
    ...(task.attempts > 0 ? [`- Effort: ${effort}`] : []),
    ...(permissionText(task) === '' ? [] : [`- Tests and checks: ${mdLine(permissionText(task), 300)}`]),
    ...(task.repairs ? [`- To fix: ${task.repairs.map((check) => mdCode(check, 80)).join(', ')}`] : []),
    ...(task.status === 'done' && !isOlder(task) ? [`- Evidence: ${evidenceText(task)}`, ...verdictLines(task)] : []),
    ...(task.proof === undefined ? [] : [`- New tests: ${proofWords(task)}`]),
    ...criteriaLines(task, state.config.checks),
    ...raceLines(task, state.run),
    ...failureLines(task, state),
    '',
  ]
}

function fixesText({ fixCycles, race }: TaskState): string {
  if (fixCycles === 0) return ''
  const winners =
    race === undefined || race.fixes === fixCycles
      ? ''
      : `, ${race.fixes === 0 ? 'none' : race.fixes} of them by the winner`
  return `${plural(fixCycles, 'fix', 'fixes')}${winners}`
}

function raceLines({ id, race }: TaskState, run: string): string[] {
  if (race === undefined) return []
  const others = `${race.losers.length === 1 ? 'attempt' : 'attempts'} ${race.losers.join(', ')}`
  const refs = mdCode(`refs/looper/${run}/${id}/`)
  return [`- Race: attempt ${race.winner} won; the changes of ${others} are kept under ${refs}`]
}

/** The state keeps only the last few failures. */
function failureLines({ failures }: TaskState, state: RunState): string[] {
  const isFirst = (failures.find(({ attempt }) => attempt !== undefined)?.attempt ?? 1) <= 1
  return [
    ...(isFirst ? [] : ['- Earlier attempts: in `events.jsonl`']),
    ...failures.map((failure) => `- ${whatFailed(failure)}: ${mdLine(failure.summary, 300)}${testsOf(failure, state)}`),
  ]
}

function whatFailed({ kind, attempt, agent }: PastFailure): string {
  if (kind === 'regression') return 'Undone'
  return attempt === undefined
    ? 'Failed attempt'
    : `Attempt ${attempt}${agent === undefined ? '' : ` by ${mdLine(agent, 40)}`} failed`
}

function proofWords({ proof, unproven = 'no check shows that they fail without the change' }: TaskState): string {
  if (proof === 'proved') return 'they fail without the change, so they prove it'
  return unproven === onlyTests ? `${onlyTests}: there is nothing to prove` : `**no proof**: ${mdLine(unproven, 200)}`
}

function resultText(task: TaskState): string {
  const why = task.reason === null ? '' : `: ${mdLine(task.reason, 300)}`
  switch (task.status) {
    case 'done':
      if (task.unchanged) return '**done, changed nothing, unverified**'
      return isOlder(task) ? 'done before this run' : isUnproven(task) ? '**done, unverified**' : '**done**'
    case 'split':
      return `split${task.children.length > 0 ? ` into ${task.children.join(', ')}` : ''}${why}`
    case 'blocked':
      return `${blockedText(task).replace('blocked', '**blocked**')}${why}`
    case 'failed':
      return `**failed**${why}`
    case 'cancelled':
      return `skipped${why}`
    case 'todo':
      return task.attempts > 0 ? `not finished${why}` : `not started${why}`
    case 'doing':
      return 'under way'
  }
}

const evidenceText = (task: TaskState): string =>
  task.evidence.length === 0
    ? 'none: Looper saw no check pass'
    : task.evidence
        .map(({ check, exitCode, durationMs, flaky, noWorse, hidden }) =>
          [
            `${mdCode(check, 80)} exit ${exitCode} in ${duration(durationMs)}`,
            flaky ? ' (flaky)' : '',
            noWorse ? ' (no worse than the base)' : '',
            hidden ? ' (held out)' : '',
          ].join(''),
        )
        .join(', ')

const verdictLines = ({ verdict }: TaskState): string[] =>
  verdict === null
    ? []
    : [
        `- Supervisor: ${scoreWords(verdict)}${verdict.summary === '' ? '' : `, ${mdLine(verdict.summary, 300)}`}`,
        ...issueLines(verdict),
      ]

/** A judge's issues, including those of accepted work. */
export const issueLines = ({ issues }: Verdict): string[] =>
  issues.map(({ severity, message }) => `  - ${severity}: ${mdLine(message, 300)}`)

function criteriaLines(task: TaskState, configured: readonly CheckConfig[]): string[] {
  if (task.criteria.length === 0) return task.status === 'done' && !isOlder(task) ? ['- Criteria: none were given'] : []
  return [
    '- Criteria:',
    ...task.criteria.map((criterion) => {
      const proof = proofOf(criterion, task, configured)
      return `  - ${mdLine(criterion, 300)} — ${proofText(proof, task)}`
    }),
  ]
}

function proofText(proof: Proof, task: TaskState): string {
  switch (proof.kind) {
    case 'check':
      return `proved by check ${mdCode(proof.check, 80)}`
    case 'judged':
      return `judged by supervisor (score ${proof.score})`
    case 'task-checks':
      return `not judged on its own; checks passed: ${proof.checks.map((check) => mdCode(check, 80)).join(', ')}`
    case 'none':
      if (task.status === 'split') return `taken over by ${task.children.join(', ')}`
      return isOlder(task) ? 'done before this run' : task.status === 'done' ? '**unverified**' : 'not met'
  }
}

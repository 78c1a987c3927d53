/** report.md: what was asked, what was done, what proves it, and how to take it over. A run that failed says so first. */
import type { CheckRecord } from '../model/event.ts'
import type { RunState, TaskState } from '../model/state.ts'
import { severityWords } from './finding-words.ts'
import { clock, duration, plural } from './format.ts'
import { mdCode, mdFence, mdLine } from './markdown.ts'
import { nextSteps } from './next-steps.ts'
import {
  appliedText, elapsedMs, facts, isOlder, isUnproven, passesText, reasonOf, shownStatus, tally, taskTree, type Liveness,
} from './progress.ts'
import { consumedText } from './quota-text.ts'
import { convergenceLines } from './report-convergence.ts'
import { issueLines, reportTask } from './report-task.ts'
import { scoreWords } from './verdict-words.ts'

export function reportMd(state: RunState, liveness: Liveness = { live: true }): string {
  const blocks = [
    headline(state, liveness), asked(state), failures(state), stages(state), goal(state),
    section('Tasks', taskTree(state).flatMap(({ task }) => reportTask(task, state.config.checks))),
    questions(state), decisions(state), section('How it went', convergenceLines(state)),
    findings(state), costs(state), handover(state, liveness), traces(state),
  ]
  return `${blocks.filter((block) => block.length > 0).map((block) => block.join('\n').trimEnd()).join('\n\n')}\n`
}

const said = (text: string): string => (text === '' ? '' : `: ${mdLine(text, 400)}`)
const section = (title: string, lines: string[]): string[] => (lines.length === 0 ? [] : [`## ${title}`, '', ...lines])

function headline(state: RunState, liveness: Liveness): string[] {
  const status = shownStatus(state, liveness)
  const reason = reasonOf(state)
  const { done, total } = tally(state)
  const tasks = Object.values(state.tasks)
  const [unverified, older] = [tasks.filter(isUnproven).length, tasks.filter(isOlder).length]
  return [
    `# ${status.toUpperCase()}: ${mdLine(state.goal, 120)}`, '',
    ...(reason === null ? [] : [`**Why:** ${mdLine(reason, 600)}`, '']),
    ...(state.status === 'running' ? ['This run is not over: what follows is how it stands.', ''] : []),
    facts(
      `Run ${mdCode(state.run)}`, (state.loop === null || total > 0) && `${done} of ${plural(total, 'task')} done`, passesText(state),
      older > 0 && `${older} of them before this run`,
      unverified > 0 && `**${unverified} unverified**`, state.counts.failed > 0 && `**${state.counts.failed} failed**`,
    ),
  ]
}

function stages({ loop, pipeline }: RunState): string[] {
  if (!loop || !pipeline) return []
  return section(`Stages of ${mdLine(pipeline.name, 60)}`, pipeline.stages.flatMap(({ name }) => [
    `- **${mdLine(name, 60)}**`,
    ...loop.entries.filter((entry) => entry.name === name).map(({ iteration, status, summary, changed }) =>
      `  ${iteration}. ${facts(status, changed > 0 && plural(changed, 'file'), mdLine(summary, 300))}`),
  ]))
}

const asked = (state: RunState): string[] => section('What was asked', [mdFence(state.goal)])

function failures(state: RunState): string[] {
  const failed = taskTree(state).filter(({ task }) => task.status === 'failed' || task.status === 'blocked')
  return section('What did not work', failed.flatMap(({ task }) => {
    const last = task.failures.at(-1)
    return [
      `- **${task.id}** ${mdLine(task.title, 160)}: ${mdLine(task.reason ?? last?.summary ?? task.status, 300)}`,
      ...(last === undefined || last.detail.trim() === '' ? [] : ['', mdFence(last.detail.slice(-2_000)), '']),
    ]
  }))
}

function goal(state: RunState): string[] {
  const { checks, verdict } = state.gate
  const judged = verdict === null ? [] : [
    `- Judged ${verdict.approved ? 'met' : '**not met**'} by supervisor (${scoreWords(verdict)})${said(verdict.summary)}`,
    ...issueLines(verdict),
    ...verdict.missing.map((missing) => `- Missing: ${mdLine(missing, 300)}`),
  ]
  const lines = [...(checks.length > 0 ? checks.map(checkText) : landedChecks(state)), ...judged]
  if (state.loop && lines.length === 0) return []
  const nothing = '- Not verified: the run did not get there, or checks and review are off.'
  return section('The goal as a whole', lines.length > 0 ? lines : [nothing])
}

/** The gate runs nothing again on the tree that the last task landed with. */
function landedChecks(state: RunState): string[] {
  if (state.conclusion?.status !== 'completed' && state.gate.verdict === null) return []
  const last = state.order.flatMap((id) => state.tasks[id] ?? []).filter(({ status }) => status === 'done')
    .reduce<TaskState | null>((newest, task) => (newest !== null && (newest.endedAt ?? '') > (task.endedAt ?? '') ? newest : task), null)
  const seen = (last?.evidence ?? []).filter(({ check, tree }) => tree !== null && state.config.checks.some(({ name }) => name === check))
  return last === null || seen.length < state.config.checks.length ? [] : seen.map(({ check, exitCode, durationMs, flaky, noWorse }) => {
    const how = facts(`exit ${exitCode}`, flaky && 'flaky', duration(durationMs), `seen when ${last.id} landed`)
    return `- Check ${mdCode(check, 80)} ${noWorse ? 'is **no worse than before**' : 'passed'} on the final tree: ${how}`
  })
}

function checkText(check: CheckRecord): string {
  const result = check.passed ? 'passed' : check.usable ? excused(check) : 'does not count'
  const exit = check.exitCode === null ? 'no exit code' : `exit ${check.exitCode}`
  return `- Check ${mdCode(check.check, 80)} ${result}: ${facts(
    exit, check.tests !== null && plural(check.tests, 'test'), duration(check.durationMs), check.note !== null && mdLine(check.note, 120),
  )}`
}

const excused = ({ excuse }: CheckRecord): string => (excuse === undefined ? '**failed**' : `**failed**, ${excuses[excuse]}`)
const excuses = {
  flaky: 'but it is flaky', 'same-as-base': 'as it did before the first task', 'no-worse': 'but no worse than before the first task',
} as const

const questions = (state: RunState): string[] =>
  section('Questions', state.questions.map(({ id, text, answer, by }) => {
    const reply = answer === null ? '**not answered**' : `${mdLine(answer, 300)}${by === 'default' ? ' (by default)' : ''}`
    return `- **${id}** ${mdLine(text, 400)} — ${reply}`
  }))

const decisions = (state: RunState): string[] =>
  section('Decisions', state.decisions.flatMap((decision) => [
    `- **${decision.id}**${decision.task === null ? '' : ` (${decision.task})`} ${mdLine(decision.title, 160)}${said(decision.choice)}`,
    ...(decision.context === '' ? [] : [`  - Because: ${mdLine(decision.context, 300)}`]),
    ...decision.alternatives.map(({ option, why }) => `  - Not: ${mdLine(option, 160)}${why === '' ? '' : `, ${mdLine(why, 200)}`}`),
    ...(decision.invalidatedIf === null ? [] : [`  - Holds unless: ${mdLine(decision.invalidatedIf, 200)}`]),
  ]))

const findings = (state: RunState): string[] =>
  section('Findings', state.findings.map((finding) => {
    const { title, detail, task } = finding
    return `- **${severityWords(state, finding)}** ${task === null ? '' : `${task}: `}${mdLine(title, 200)}${said(detail)}`
  }))

function costs(state: RunState): string[] {
  return section('Cost and time', [
    `- Cost: ${consumedText(state)}`,
    `- Running time: ${duration(elapsedMs(state))}`,
    `- Started ${clock(state.startedAt)}, ${state.endedAt === null ? 'not ended' : `ended ${clock(state.endedAt)}`}`,
    `- Turns: ${state.turns}, waves: ${state.wave}, goal iterations: ${state.goalIteration}, plan revisions: ${state.plan.revision}`,
  ])
}

/** The evidence itself. */
const traces = ({ run }: RunState): string[] =>
  section('Where to look', [
    `In ${mdCode(`.looper/runs/${run}/`)}:`, '',
    '- `checks/*.log`: what each check printed',
    '- `turns/<id>/`: the prompt, output and answer of each turn of an agent',
    '- `events.jsonl`: everything that happened, in order',
  ])

function handover(state: RunState, liveness: Liveness): string[] {
  const lines = [...handedOver(state), ...(state.discardedAt === null ? waysOver(state, liveness) : [])]
  return section('How to review and take it over', lines)
}

/** What a person did with the changes already. */
function handedOver({ applied, discardedAt }: RunState): string[] {
  const taken = applied === null ? [] : [`It was ${mdLine(appliedText(applied), 200)} (${clock(applied.at)}).`, '']
  return discardedAt === null ? taken : [...taken, `It was discarded (${clock(discardedAt)}): its branch is gone.`]
}

function waysOver(state: RunState, liveness: Liveness): string[] {
  const base = state.base.commit.slice(0, 12)
  const git = state.config.workspace.mode === 'in-place'
    ? [`git diff ${base}`]
    : [`git log --oneline ${base}..${state.branch}`, `git diff ${base}...${state.branch}`, `git merge ${state.branch}`]
  const steps = nextSteps(state, liveness).filter(({ command }) => !command.startsWith('looper report'))
  const commands = steps.map(({ command, what }) => `- ${mdCode(command)} ${what}`)
  return state.order.length === 0 ? commands : [...commands, '', 'With git alone:', '', mdFence(git.join('\n'), 'sh')]
}

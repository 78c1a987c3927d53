/** report.md: the goal, the result, its evidence, and how to apply it. A failed run says so first. */
import type { RunState } from '../../model/state.ts'
import { severityWords } from '../facts/finding-words.ts'
import { clock, duration, plural } from '../text/format.ts'
import { mdCode, mdFence, mdLine } from '../text/markdown.ts'
import { shortRuns } from '../text/name-run.ts'
import { nextSteps } from '../status/next-steps.ts'
import { outsideText } from '../facts/outside-text.ts'
import {
  appliedText,
  elapsedMs,
  facts,
  isOlder,
  isUnproven,
  passesText,
  reasonOf,
  shownStatus,
  tally,
  taskTree,
} from '../facts/progress.ts'
import type { Liveness } from '../status/liveness.ts'
import { consumedText } from '../status/quota-text.ts'
import { convergenceLines } from './report-convergence.ts'
import { failureLines } from './report-failures.ts'
import { goalLines } from './report-goal.ts'
import { reportTask } from './report-task.ts'

export function reportMd(state: RunState, liveness: Liveness = { live: true }): string {
  const blocks = [
    headline(state, liveness),
    asked(state),
    section('What did not work', failureLines(state)),
    stages(state),
    section('The goal as a whole', goalLines(state)),
    section(
      'Tasks',
      taskTree(state).flatMap(({ task }) => reportTask(task, state)),
    ),
    questions(state),
    decisions(state),
    section('How it went', convergenceLines(state)),
    findings(state),
    section('Changed outside the workspaces', outsideLines(state)),
    costs(state),
    handover(state, liveness),
    traces(state),
  ]
  return `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n').trimEnd())
    .join('\n\n')}\n`
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
    `# ${status.toUpperCase()}: ${mdLine(state.goal, 120)}`,
    '',
    ...(reason === null ? [] : [`**Why:** ${mdLine(reason, 600)}`, '']),
    ...(state.status === 'running' ? ['This run is not over: this is its current state.', ''] : []),
    facts(
      `Run ${mdCode(state.run)}`,
      (state.loop === null || total > 0) && `${done} of ${plural(total, 'task')} done`,
      passesText(state),
      older > 0 && `${older} of them before this run`,
      unverified > 0 && `**${unverified} unverified**`,
      state.counts.failed > 0 && `**${state.counts.failed} failed**`,
    ),
  ]
}

function stages({ loop, pipeline }: RunState): string[] {
  if (!loop || !pipeline) return []
  return section(
    `Stages of ${mdLine(pipeline.name, 60)}`,
    pipeline.stages.flatMap(({ name }) => [
      `- **${mdLine(name, 60)}**`,
      ...loop.entries
        .filter((entry) => entry.name === name)
        .map(
          ({ iteration, status, summary, changed }) =>
            `  ${iteration}. ${facts(status, changed > 0 && plural(changed, 'file'), mdLine(summary, 300))}`,
        ),
    ]),
  )
}

const asked = (state: RunState): string[] => section('What was asked', [mdFence(state.goal)])

const questions = (state: RunState): string[] =>
  section(
    'Questions',
    state.questions.map(({ id, text, answer, by }) => {
      const reply =
        answer === null ? '**not answered**' : `${mdLine(answer, 300)}${by === 'default' ? ' (by default)' : ''}`
      return `- **${id}** ${mdLine(text, 400)} — ${reply}`
    }),
  )

const decisions = (state: RunState): string[] =>
  section(
    'Decisions',
    state.decisions.flatMap((decision) => [
      `- **${decision.id}**${decision.task === null ? '' : ` (${decision.task})`} `
        + `${mdLine(decision.title, 160)}${said(decision.choice)}`,
      ...(decision.context === '' ? [] : [`  - Because: ${mdLine(decision.context, 300)}`]),
      ...decision.alternatives.map(
        ({ option, why }) => `  - Not: ${mdLine(option, 160)}${why === '' ? '' : `, ${mdLine(why, 200)}`}`,
      ),
      ...(decision.invalidatedIf === null ? [] : [`  - Holds unless: ${mdLine(decision.invalidatedIf, 200)}`]),
    ]),
  )

const findings = (state: RunState): string[] =>
  section(
    'Findings',
    state.findings.map((finding) => {
      const { title, detail, task } = finding
      const subject = task === null ? '' : `${task}: `
      return `- **${severityWords(state, finding)}** ${subject}${mdLine(title, 200)}${said(detail)}`
    }),
  )

const outsideLines = ({ outside = [] }: RunState): string[] =>
  outside.length === 0
    ? []
    : [
        ...outside.map((change) => `- ${mdLine(outsideText(change, 50), 4_000)}`),
        '',
        'Without a sandbox such changes are reported and not prevented: '
          + 'an agent or command made them, or a person at the same time.',
      ]

function costs(state: RunState): string[] {
  return section('Cost and time', [
    `- Cost: ${consumedText(state)}`,
    `- Running time: ${duration(elapsedMs(state))}`,
    `- Started ${clock(state.startedAt)}, ${state.endedAt === null ? 'not ended' : `ended ${clock(state.endedAt)}`}`,
    `- Turns: ${state.turns}, waves: ${state.wave}, goal iterations: ${state.goalIteration}, `
      + `plan revisions: ${state.plan.revision}`,
  ])
}

/** Where the evidence is stored. */
const traces = ({ run }: RunState): string[] =>
  section('Where to look', [
    `In ${mdCode(`.looper/runs/${run}/`)}:`,
    '',
    '- `checks/*.log`: what each check printed',
    '- `turns/<id>/`: the prompt, output and answer of each turn of an agent',
    '- `events.jsonl`: everything that happened, in order',
  ])

function handover(state: RunState, liveness: Liveness): string[] {
  const lines = [...handedOver(state), ...(state.discardedAt === null ? waysOver(state, liveness) : [])]
  return section('How to review and merge it', lines)
}

/** What a person has already done with the changes. */
function handedOver({ applied, discardedAt }: RunState): string[] {
  const taken = applied === null ? [] : [`It was ${mdLine(appliedText(applied), 200)} (${clock(applied.at)}).`, '']
  return discardedAt === null ? taken : [...taken, `It was discarded (${clock(discardedAt)}): its branch is gone.`]
}

/** Nothing has landed: there is nothing to look at or to merge. */
const isEmpty = ({ order, tasks, landings, config }: RunState): boolean =>
  order.length === 0
  || (config.workspace.mode !== 'in-place'
    && landings.length === 0
    && !order.some((id) => tasks[id]?.status === 'done'))

function waysOver(state: RunState, liveness: Liveness): string[] {
  const base = state.base.commit.slice(0, 12)
  const git =
    state.config.workspace.mode === 'in-place'
      ? [`git diff ${base}`]
      : [
          `git log --oneline ${base}..${state.branch}`,
          `git diff ${base}...${state.branch}`,
          `git merge ${state.branch}`,
        ]
  const steps = nextSteps(state, liveness).filter(({ command }) => !command.startsWith('looper report'))
  const commands = steps.map(({ command, what }) => `- ${mdCode(shortRuns(command))} ${what}`)
  return isEmpty(state) ? commands : [...commands, '', 'With git alone:', '', mdFence(git.join('\n'), 'sh')]
}

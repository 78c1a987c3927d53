/** Title and body of a pull request: what was asked and done, its proof, the checks, and the decisions. */
import type { RunState, TaskState } from '../../model/state.ts'
import { isUnproven, taskTree } from '../facts/progress.ts'
import { attentionText } from '../status/attention.ts'
import { mdCode, mdFence, mdLine } from '../text/markdown.ts'
import { plain } from '../text/plain-text.ts'
import { goalLines } from './report-goal.ts'

export interface PullRequestText {
  title: string
  body: string
}

const longestTitle = 120

export function pullRequestText(state: RunState): PullRequestText {
  const { goal, run, decisions } = state
  const title = plain(goal.split('\n').find((line) => line.trim() !== '') ?? '', longestTitle) || run
  const tasks = taskTree(state).map(({ task }) => task)
  const attention = attentionText(state)
  const blocks = [
    section('What', [mdFence(goal === '' ? run : goal), '', ...tasks.filter(isDone).map(taskLine)]),
    section('Proof', tasks.filter(isDone).map(proofLine)),
    section('Checks on the final tree', goalLines(state)),
    section(
      'Decisions',
      decisions.map(
        ({ title: what, choice }) => `- ${mdLine(what, 160)}${choice === '' ? '' : `: ${mdLine(choice, 300)}`}`,
      ),
    ),
    section('Not done', tasks.filter(isOpen).map(openLine)),
    ...(attention === '' ? [] : [section('Review this', [mdLine(attention, 400)])]),
    `Made by Looper in run ${mdCode(run)}.`,
  ]
  const body = blocks.filter((block) => block !== '').join('\n\n')
  return { title, body: `${quiet(body)}\n` }
}

const section = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : `## ${title}\n\n${lines.join('\n').trim()}`

const isDone = ({ status }: TaskState): boolean => status === 'done'
const isOpen = ({ status }: TaskState): boolean => status === 'failed' || status === 'blocked' || status === 'todo'

const taskLine = ({ id, title }: TaskState): string => `- **${id}** ${mdLine(title, 160)}`

function proofLine(task: TaskState): string {
  if (isUnproven(task)) return `- **${task.id}** unverified: no check ran on it`
  const checks = task.evidence.map(({ check, noWorse }) => `${mdCode(check, 80)}${noWorse ? ' (no worse)' : ''}`)
  return `- **${task.id}** ${checks.length === 0 ? 'done before this run' : checks.join(', ')}`
}

const openLine = ({ id, title, status }: TaskState): string => `- **${id}** ${mdLine(title, 160)}: ${status}`

/** Agents' text must not notify people, or close issues when the pull request is merged. */
const quiet = (markdown: string): string =>
  markdown
    .split(/(^```[^]*?^```$|`[^`\n]*`)/m)
    .map((part, at) => (at % 2 === 1 ? part : part.replaceAll(/([@#]|\bGH-)(?=\w)/g, '$1<!-- -->')))
    .join('')

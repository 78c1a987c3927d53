/** Failures in report.md: each task with its last failure; equal output is printed once. */
import type { PastFailure, RunState, TaskState } from '../../model/state.ts'
import { failingText } from '../facts/failing-tests.ts'
import { mdFence, mdLine } from '../text/markdown.ts'
import { taskTree } from '../facts/progress.ts'

export function failureLines(state: RunState): string[] {
  const printedBy = new Map<string, string>()
  const open = taskTree(state)
    .map(({ task }) => task)
    .filter((task) => isOpen(task, state))
  return open.flatMap((task) => {
    const last = task.failures.at(-1)
    const printed = last === undefined ? '' : excerpt(last)
    const key = last?.fingerprint ?? printed
    const where = printed === '' ? undefined : printedBy.get(key)
    if (printed !== '' && where === undefined) printedBy.set(key, task.id)
    const why = mdLine(task.reason ?? last?.summary ?? task.status, 300)
    return [
      `- **${task.id}** ${mdLine(task.title, 160)}: ${why}${testsOf(last, state)}`,
      ...(where === undefined ? [] : [`  - It printed the same as ${where}, but for times and paths`]),
      ...(printed === '' || where !== undefined ? [] : ['', mdFence(printed), '']),
    ]
  })
}

/**
 * A resting run lists a task that failed and will be retried, because that failure is the likely reason for the rest.
 */
const isOpen = ({ status, failures }: TaskState, run: RunState): boolean =>
  status === 'failed'
  || status === 'blocked'
  || (run.status !== 'running' && (status === 'todo' || status === 'doing') && failures.length > 0)

/** ": rounds, halves" */
export function testsOf(failure: PastFailure | undefined, state: RunState): string {
  const names = failingText(failure?.failing ?? [], state)
  return names === '' ? '' : `: ${mdLine(names, 400)}`
}

const mostLines = 40
const mostCharacters = 2_000

/** The end of the output, in whole lines, without stack frames of foreign code. */
export function excerpt({ kind, detail }: PastFailure): string {
  const [lead = '', ...rest] = detail.split('\n')
  // The first line of a regression is an instruction for the next agent.
  const printed = (kind === 'regression' ? rest : [lead, ...rest]).filter((line) => !isForeignFrame(line))
  const kept: string[] = []
  let room = mostCharacters
  for (const line of printed.toReversed().slice(0, mostLines)) {
    room -= line.length + 1
    if (room < 0 && kept.length > 0) break
    kept.unshift(line.slice(-mostCharacters))
  }
  const text = kept.join('\n')
  return text.trim() === '' ? '' : kept.length < printed.length ? `…\n${text}` : text
}

const isForeignFrame = (line: string): boolean => /:\d+:\d+\)?$/.test(line) && /\bnode:|node_modules\//.test(line)

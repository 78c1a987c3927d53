/** Sections about earlier failures: checks, verdicts, attempts that were rolled back. */
import { overlap } from '../../core/policies/file-overlap.ts'
import type { Failure } from '../../model/event.ts'
import type { RunState, TaskState } from '../../model/state.ts'
import { plain } from '../../views/text/plain-text.ts'
import { levelWording } from '../escalation.ts'
import { failureText, lines } from '../material.ts'
import { partly, taskOf, taskOrNull, type MakeSection } from './section-input.ts'

/** The failure that led to this turn. A supervisor's verdict is in the feedback section instead. */
export const failure: MakeSection = (input) => {
  const task = taskOf(input)
  const last = lastFailure(task)
  if (last === null || last.kind === 'verdict') return null
  const inThisAttempt = task.attempt !== null && last === task.attempt.failure
  const fresh =
    input.state.config.workspace.mode === 'worktree'
      ? 'The workspace was put back since: none of that attempt is in it.'
      : 'Its changes may still be in the files.'
  const lead = inThisAttempt
    ? 'This is what to fix.'
    : `The last attempt failed of this. ${fresh} Do not repeat what led to it.`
  return { title: 'The last failure', lead, body: failureText(last), priority: 100, mandatory: true }
}

const lastFailure = (task: TaskState): Failure | null => task.attempt?.failure ?? task.failures.at(-1) ?? null

/** The supervisor's last verdict on this task, however old: it applies until the task satisfies it. */
export const feedback: MakeSection = (input) => {
  const task = taskOf(input)
  const said = [...task.failures, ...(task.attempt?.failure ? [task.attempt.failure] : [])].findLast(
    ({ kind }) => kind === 'verdict',
  )
  if (said === undefined) return null
  const level = task.verdict !== null && !task.verdict.approved ? task.verdict.level : 'none'
  return {
    title: "The reviewer's feedback",
    lead: levelWording[level],
    body: failureText(said),
    priority: 100,
    mandatory: true,
  }
}

/** The same feedback, for the reviewers of a later attempt. */
export const earlierFeedback: MakeSection = (input) => {
  const said = feedback(input)
  return said && { ...said, title: 'What was asked of an earlier attempt', lead: 'See whether it was dealt with.' }
}

export const earlierFailures: MakeSection = (input) => {
  const task = taskOf(input)
  const last = lastFailure(task)
  const said = task.failures.findLast(({ kind }) => kind === 'verdict')
  const earlier = task.failures.filter((entry) => entry !== last && entry !== said)
  if (earlier.length === 0) return null
  return {
    title: 'Earlier failures of this task',
    body: earlier.map(failureText).join('\n\n'),
    priority: 70,
    minTokens: partly,
  }
}

/** Approaches that were rolled back: all of them, or those that concern the task or its files. */
export const antiPatterns: MakeSection = (input) => {
  const { state } = input
  const task = taskOrNull(input)
  const near = state.antiPatterns.filter(
    ({ tasks, files }) =>
      task === null
      || withParents(state, task).some((id) => tasks.includes(id))
      || files.some((file) => task.files.some((own) => overlap(file, own))),
  )
  if (near.length === 0) return null
  const body = near.map(({ id, title, tried, evidence, why }) =>
    lines(
      `${id} ${plain(title, 200)}`,
      tried !== '' && `  tried: ${plain(tried, 600)}`,
      evidence !== '' && `  evidence: ${plain(evidence, 400)}`,
      `  why it failed: ${plain(why, 300)}`,
    ),
  )
  const lead = 'It was rolled back. Do not do it that way again.'
  return { title: 'What was tried and failed', lead, body: body.join('\n\n'), priority: 92, minTokens: partly }
}

/** Ids of the task and of its ancestors. */
const withParents = (state: RunState, { id, parent }: TaskState): string[] => {
  const whole = parent === null ? undefined : state.tasks[parent]
  return [id, ...(whole ? withParents(state, whole) : [])]
}

/** Sections about the task of a turn and the tasks around it. */
import type { RunState, TaskState } from '../../model/state.ts'
import { plain } from '../../views/text/plain-text.ts'
import { bullets, evidenceText, lines, numbered, overviewText, taskText } from '../material.ts'
import { partly, taskOf, taskOrNull, type MakeSection } from './section-input.ts'

export const task: MakeSection = (input) => ({
  title: 'The task',
  body: taskText(taskOf(input)),
  priority: 100,
  mandatory: true,
})

export const criteria: MakeSection = (input) => {
  const { criteria: all } = taskOf(input)
  return {
    title: 'Criteria of the task',
    priority: 100,
    mandatory: true,
    lead: all.length > 0 ? 'All of them must hold.' : 'None were given: the task is met when its description is.',
    body: numbered(all),
  }
}

export const overview: MakeSection = (input) => {
  if (input.state.order.length === 0) return null
  const body = overviewText(input.state, taskOrNull(input)?.id ?? null)
  return { title: 'The plan so far', body, priority: 40, minTokens: partly }
}

/**
 * A retried turn in the user's checkout finds the changes of an earlier one, because Looper never resets that checkout.
 */
export const cutShort: MakeSection = ({ state, work }) => {
  const again = (state.starts[work.id] ?? 0) > 1 || (work.id !== work.slot && work.errors.length === 0)
  if (!again || state.config.workspace.mode !== 'in-place') return null
  const lead =
    'An earlier try at this turn was cut short. Files may be half-edited: look at what is there before you go on.'
  return { title: 'An earlier try was cut short', lead, body: '', priority: 100, mandatory: true }
}

export const alternateApproach: MakeSection = (input) => {
  const { alternate } = taskOf(input)
  if (alternate === undefined) return null
  return {
    title: 'Take another approach',
    priority: 100,
    mandatory: true,
    body: alternate.why,
    lead:
      'The approach so far made no progress. '
      + 'Question what those attempts took for granted, and choose a different approach.',
  }
}

export const dependencies: MakeSection = (input) => {
  const done = standing(input.state, taskOf(input).dependsOn)
  if (done.length === 0) return null
  const body = done
    .map((entry) =>
      lines(
        evidenceText(entry),
        entry.description !== '' && `  ${plain(entry.description, 600)}`,
        entry.summary !== null && entry.summary !== '' && `  done: ${plain(entry.summary, 600)}`,
        entry.files.length > 0 && `  files: ${entry.files.map((file) => plain(file)).join(', ')}`,
      ),
    )
    .join('\n\n')
  return {
    title: 'What this task builds on',
    lead: 'These tasks are in the workspace already.',
    body,
    priority: 65,
    minTokens: partly,
  }
}

/** Replaces a split task by its children. */
const standing = (state: RunState, ids: readonly string[]): TaskState[] =>
  ids
    .flatMap((id) => state.tasks[id] ?? [])
    .flatMap((each) => (each.status === 'split' ? standing(state, each.children) : [each]))

/** Prevents a turn from repeating or undoing the last tasks. */
export const recentTasks: MakeSection = ({ state }) => {
  const latest = state.recent
    .toReversed()
    .flatMap((id) => state.tasks[id] ?? [])
    .filter(({ summary }) => summary !== null)
  if (latest.length === 0) return null
  const body = bullets(
    latest.map(({ id, title, summary }) => `${id} ${plain(title, 100)}: ${plain(summary ?? '', 400)}`),
  )
  return { title: 'What was done lately', body, priority: 45, minTokens: partly }
}

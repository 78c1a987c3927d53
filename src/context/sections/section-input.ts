/** The input from which the sections of a prompt are made. */
import { LooperError } from '../../model/error.ts'
import type { TaskState } from '../../model/state.ts'
import type { Section } from '../pack.ts'
import type { PromptInput } from '../prompt-input.ts'

export interface SectionInput extends Pick<PromptInput, 'state' | 'work' | 'diff'> {
  /** Files that the tasks of a backlog were read from. */
  documents(): readonly string[]
}

/** Makes a section; null when the run has no content for it. */
export type MakeSection = (input: SectionInput) => Section | null

/** Long material is useful in part, from this many tokens. */
export const partly = 400

/** The task that the turn is about. Throws BUG_INVARIANT when there is none. */
export function taskOf(input: SectionInput): TaskState {
  const task = taskOrNull(input)
  if (task !== null) return task
  throw new LooperError('BUG_INVARIANT', `the turn ${input.work.id} is about a task that does not exist`)
}

/** Null for a turn about the plan, the goal or a whole backlog. */
export const taskOrNull = ({ state, work }: SectionInput): TaskState | null =>
  work.task === null ? null : (state.tasks[work.task] ?? null)

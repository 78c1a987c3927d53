/** A finding of a task is listed once: the same one of a later attempt adds nothing that a person does not know. */
import type { RunState } from '../../model/state.ts'

type Finding = RunState['findings'][number]

export const isRaised = (
  { findings }: RunState,
  wanted: Pick<Finding, 'origin' | 'task' | 'title' | 'detail'>,
): boolean =>
  findings.some(
    ({ origin, task, title, detail }) =>
      origin === wanted.origin
      || (task !== null && task === wanted.task && title === wanted.title && detail === wanted.detail),
  )

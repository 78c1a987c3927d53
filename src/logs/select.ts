/** Which lines of a log a reader wants to see. */
import type { LogEvent, LogType } from '../model/log.ts'
import type { Turn } from './chronicle.ts'

export interface Selection {
  /** Null: of all tasks, and of none. */
  task: string | null
  /** Null: all of them. */
  types: readonly LogType[] | null
}

export const accepts =
  ({ task, types }: Selection) =>
  (event: LogEvent): boolean =>
    (task === null || event.task === task) && (types === null || types.includes(event.type))

/** Whether it is worth opening its stream. */
export const mayHave = ({ task, types }: Selection, { work }: Turn): boolean =>
  (task === null || work.task === task) && (types === null || types.some((type) => type !== 'summary'))

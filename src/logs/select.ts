/** Selects the lines of a log that a reader wants to see. */
import type { LogEvent, LogType } from '../model/log.ts'
import type { Turn } from './chronicle.ts'

export interface Selection {
  /** Null: lines of every task, and lines without a task. */
  task: string | null
  /** Null: all types. */
  types: readonly LogType[] | null
}

export const accepts =
  ({ task, types }: Selection) =>
  (event: LogEvent): boolean =>
    (task === null || event.task === task) && (types === null || types.includes(event.type))

/** Whether the stream of a turn can contain selected lines. */
export const mayHave = ({ task, types }: Selection, { work }: Turn): boolean =>
  (task === null || work.task === task) && (types === null || types.some((type) => type !== 'summary'))

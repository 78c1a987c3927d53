/** The content of a task as a source has it, and a hash that shows whether it changed. */
import { createHash } from 'node:crypto'
import type { SourceTask } from '../model/source.ts'
import type { TaskState } from '../model/state.ts'
import { authorOf } from '../model/task-author.ts'

export const wordsOf = ({
  id,
  title,
  description,
  dependsOn,
  criteria,
  files,
  type,
  priority,
  repairs,
  allows,
  origin,
  byAgent,
}: TaskState): Omit<SourceTask, 'status' | 'reason'> => ({
  id,
  title,
  description,
  dependsOn,
  criteria,
  files,
  type,
  priority,
  ...(repairs ? { repairs } : {}),
  ...(allows ? { allows } : {}),
  ...(authorOf({ origin, byAgent }) === 'person' ? {} : { byAgent: true }),
})

export const printOf = ({
  title,
  description,
  dependsOn,
  criteria,
  files,
  type,
  priority,
  repairs = [],
  allows = [],
}: Omit<SourceTask, 'id' | 'status' | 'reason'>): string =>
  createHash('sha1')
    .update(
      JSON.stringify([
        title,
        description,
        dependsOn,
        criteria,
        files,
        type,
        priority,
        // Left out when empty, so that the hash equals the one that earlier versions saved.
        ...(repairs.length + allows.length > 0 ? [repairs, allows] : []),
      ]),
    )
    .digest('base64')
    .slice(0, 12)

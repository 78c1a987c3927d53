/**
 * The author of a task in a store whose own fields do not name it. Agents write there as often as people, under the
 * same name, so only a task that says so counts as a person's.
 */
import type { SourceTask } from '../model/source.ts'
import { textAt, textsAt } from './json-value.ts'

/** From the metadata of a task. What an agent wrote, or an unknown author, permits nothing. */
export function authorFields(metadata: unknown): Pick<SourceTask, 'byAgent' | 'allows' | 'repairs'> {
  const [allows, repairs] = [textsAt(metadata, 'allows'), textsAt(metadata, 'repairs')]
  const isPerson = textAt(metadata, 'added_by') === 'person'
  return {
    ...(repairs.length > 0 ? { repairs } : {}),
    ...(isPerson && allows.length > 0 ? { allows } : {}),
    ...(isPerson ? {} : { byAgent: true }),
  }
}

/** The metadata for a task that Looper adds. */
export function authorMetadata({ byAgent, allows, repairs }: SourceTask): Record<string, unknown> {
  return { added_by: byAgent ? 'agent' : 'person', ...(repairs ? { repairs } : {}), ...(allows ? { allows } : {}) }
}

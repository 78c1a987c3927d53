/** Ends every process of a run: by the mark in its environment, and by the tag where it has removed that. */
import { endMarked } from './sweep.ts'
import { endTaggedOfRun } from './tag.ts'

export async function endRun(key: string, options: { graceMs?: number } = {}): Promise<void> {
  await endMarked(`${key}:`, options)
  endTaggedOfRun(key)
}

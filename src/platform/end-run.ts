/** Ends every process of a run: by the mark in its environment, or by its tag when the process removed the mark. */
import { endMarked } from './sweep.ts'
import { endTaggedOfRun } from './tag.ts'

export async function endRun(key: string, options: { graceMs?: number } = {}): Promise<void> {
  await endMarked(`${key}:`, options)
  await endTaggedOfRun(key)
}

/** Tells the user of a resumed run which edited settings apply and which do not. */
import { listed } from './changed-settings.ts'

/** A run keeps these settings from its start, because its agents could have edited the files. */
export function keptNotes(keys: readonly string[], run: string): string[] {
  if (keys.length === 0) return []
  const isOffered = keys.some((key) => /^(?:workspace\.(?:setup|copy)|hooks\b)/.test(key))
  const offer = isOffered ? `; \`looper resume ${run} --settings\` takes over set-up, copied files and hooks` : ''
  return [`settings that changed since the run began (${listed(keys)}) do not apply: the run keeps its own${offer}`]
}

/** Before the first task, a person's corrections take effect: no coder has worked. */
export const correctedNotes = (keys: readonly string[]): string[] =>
  keys.length === 0 ? [] : [`settings as they are now, because no task has started yet: ${listed(keys)}`]

export const readNotes = (keys: readonly string[]): string[] =>
  keys.length === 0 ? [] : [`settings that changed since the run last started apply from now on: ${listed(keys)}`]

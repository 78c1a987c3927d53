/** Reads an answer from text that may hold its JSON in a fence or among words. */
import { isObject } from '../../model/object.ts'
import { createObjectFinder } from './object-finder.ts'

export interface ReadAnswer {
  value: Record<string, unknown> | null
  /** The place of a flaw in what was meant to be JSON. */
  flaw: string | null
}

export function readAnswer(text: string): ReadAnswer {
  const clean = text.replace(/^\uFEFF/, '')
  try {
    const value: unknown = JSON.parse(clean)
    return { value: isObject(value) ? value : null, flaw: null }
  } catch {
    const finder = createObjectFinder()
    const value =
      clean
        .split('\n')
        .flatMap((line) => finder.push(line))
        .at(-1) ?? null
    return { value, flaw: finder.flaw() }
  }
}

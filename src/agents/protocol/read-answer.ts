/** Reads an answer from text whose JSON may be fenced or surrounded by prose. */
import { isObject } from '../../model/object.ts'
import { createObjectFinder } from './object-finder.ts'

export interface ReadAnswer {
  value: Record<string, unknown> | null
  /** Describes the flaw in text that was meant to be JSON; null when there is none. */
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

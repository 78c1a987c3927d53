/** Reads untyped JSON: a missing value, or one of another type, is read as empty. */
import { isObject } from '../model/object.ts'

export type JsonObject = Record<string, unknown>

export const objectIn = (value: unknown): JsonObject => (isObject(value) ? value : {})

export const objectsIn = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])

export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Content is a text, or a list of parts of which some are texts. */
export const wordsIn = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : objectsIn(content)
        .map((part) => textIn(part['text']))
        .filter((text) => text !== '')
        .join('\n')

/** Arguments are JSON in a string; invalid JSON from a model stays a string. */
export function parsed(text: unknown): unknown {
  if (typeof text !== 'string') return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

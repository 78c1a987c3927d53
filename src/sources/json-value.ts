/** Extracts values from untrusted JSON: never throws, and checks the type of every value. */

export type JsonObject = Record<string, unknown>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Own keys only: inherited ones such as `constructor` do not count. */
export const at = (value: unknown, key: string): unknown =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined

/** Returns the text at a key, or an empty string. */
export function textAt(value: unknown, key: string): string {
  const found = at(value, key)
  return typeof found === 'string' ? found : ''
}

export function listAt(value: unknown, key: string): readonly unknown[] {
  const found = at(value, key)
  return Array.isArray(found) ? found : []
}

/** Returns the texts of a list, trimmed, without empty ones and duplicates. */
export const textsAt = (value: unknown, key: string): string[] => [
  ...new Set(
    listAt(value, key).flatMap((item) => (typeof item === 'string' && item.trim() !== '' ? [item.trim()] : [])),
  ),
]

export function numberAt(value: unknown, key: string): number | null {
  const found = at(value, key)
  return typeof found === 'number' && Number.isFinite(found) ? found : null
}

/** Accepts a whole number as well: some programs write ids as numbers. */
export function nameAt(value: unknown, key: string): string {
  const found = at(value, key)
  return typeof found === 'string'
    ? found.trim()
    : typeof found === 'number' && Number.isSafeInteger(found)
      ? String(found)
      : ''
}

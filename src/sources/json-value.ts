/** Takes values out of JSON that others wrote, whatever it looks like: nothing here throws, and nothing is believed. */

export type JsonObject = Record<string, unknown>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Own keys only: a key that every object has is not one of its own. */
export const at = (value: unknown, key: string): unknown =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined

/** The text at a key; empty when there is none. */
export function textAt(value: unknown, key: string): string {
  const found = at(value, key)
  return typeof found === 'string' ? found : ''
}

export function listAt(value: unknown, key: string): readonly unknown[] {
  const found = at(value, key)
  return Array.isArray(found) ? found : []
}

/** Only the texts of a list, without empty ones and repetitions. */
export const textsAt = (value: unknown, key: string): string[] => [
  ...new Set(
    listAt(value, key).flatMap((item) => (typeof item === 'string' && item.trim() !== '' ? [item.trim()] : [])),
  ),
]

export function numberAt(value: unknown, key: string): number | null {
  const found = at(value, key)
  return typeof found === 'number' && Number.isFinite(found) ? found : null
}

/** Names are spelled as numbers now and then. */
export function nameAt(value: unknown, key: string): string {
  const found = at(value, key)
  return typeof found === 'string'
    ? found.trim()
    : typeof found === 'number' && Number.isSafeInteger(found)
      ? String(found)
      : ''
}

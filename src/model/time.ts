/** Arithmetic on ISO times. Pure: none of it asks what time it is. */

export const msBetween = (from: string, to: string): number => Date.parse(to) - Date.parse(from)

export const addMs = (at: string, ms: number): string => new Date(Date.parse(at) + ms).toISOString()

/** The time as Looper writes it, or null when the text is none. */
export function parseTime(text: string): string | null {
  const ms = Date.parse(text)
  return Number.isFinite(ms) ? new Date(ms).toISOString() : null
}

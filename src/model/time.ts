/** Arithmetic on ISO times. Pure: never reads the clock. */

export const msBetween = (from: string, to: string): number => Date.parse(to) - Date.parse(from)

export const addMs = (at: string, ms: number): string => new Date(Date.parse(at) + ms).toISOString()

/** The time in Looper's format, or null when the text is not a time. */
export function parseTime(text: string): string | null {
  const ms = Date.parse(text)
  return Number.isFinite(ms) ? new Date(ms).toISOString() : null
}

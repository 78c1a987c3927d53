/** Formats sizes for people. */

const units = ['kB', 'MB', 'GB', 'TB'] as const

/** "0 B", "4.1 kB", "12 MB", "1.3 GB" */
export function bytesText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  let value = bytes / 1_000
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1_000
    unit++
  }
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${units[unit] ?? ''}`
}

/** Writes a duration the short way: `format(5_400_000)` is "1h 30m". */
import { units } from './units.js'

export function format(ms) {
  if (!Number.isFinite(ms)) throw new RangeError(`not a duration: ${ms}`)
  const parts = []
  let rest = Math.round(Math.abs(ms))
  for (const [unit, length] of Object.entries(units)) {
    const count = Math.floor(rest / length)
    if (count > 0) parts.push(`${count}${unit}`)
    rest -= count * length
  }
  if (parts.length === 0) return '0ms'
  return `${ms < 0 ? '-' : ''}${parts.join(' ')}`
}

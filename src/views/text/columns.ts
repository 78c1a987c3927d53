/** Measures text in terminal columns: a live line that wraps cannot be redrawn. */

const wide = new RegExp(
  [
    String.raw`[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF]`,
    String.raw`[\uFE30-\uFE4F\uFF00-\uFF60\uFFE0-\uFFE6]`,
    String.raw`[\u{1F300}-\u{1F64F}\u{1F680}-\u{1F6FF}\u{1F900}-\u{1F9FF}\u{1FA70}-\u{1FAFF}\u{20000}-\u{3FFFD}]`,
    String.raw`\p{Emoji_Presentation}`,
  ].join('|'),
  'u',
)
const mark = /\p{M}/u
const esc = '\u001B'
const color = new RegExp(`${esc}\\[[0-9;]*m`, 'g')

function columnsOf(character: string): number {
  if (character < '\u0300') return 1
  if (mark.test(character)) return 0
  return wide.test(character) ? 2 : 1
}

/** Characters that always take one column. */
const narrow = /^[ -~]*$/

/** Color codes take no columns. */
export function columns(text: string): number {
  if (narrow.test(text)) return text.length
  let total = 0
  for (const character of text.replace(color, '')) total += columnsOf(character)
  return total
}

/** Cuts to at most `max` columns; a cut text ends in …. */
export function cut(text: string, max: number): string {
  if (max <= 0) return ''
  if (columns(text) <= max) return text
  let kept = ''
  let used = 0
  for (const character of text) {
    used += columnsOf(character)
    if (used > max - 1) break
    kept += character
  }
  return `${kept.trimEnd()}…`
}

export const pad = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - columns(text)))

/** Left-aligned columns, as wide as their widest cell; the last one is not padded. */
export function align(rows: readonly (readonly string[])[], gap = '  '): string[] {
  const sizes = rows.map((row) => row.map(columns))
  const widths: number[] = []
  for (const row of sizes)
    row.forEach((size, index) => {
      widths[index] = Math.max(widths[index] ?? 0, size)
    })
  const missing = (row: number, index: number): number => (widths[index] ?? 0) - (sizes[row]?.[index] ?? 0)
  const padded = (cell: string, row: number, index: number): string => cell + ' '.repeat(missing(row, index))
  return rows.map((row, at) =>
    row
      .map((cell, index) => (index === row.length - 1 ? cell : padded(cell, at, index)))
      .join(gap)
      .trimEnd(),
  )
}

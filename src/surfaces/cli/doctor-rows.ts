/** Formats the rows of `looper doctor`: each with its mark, and below it what to do. */
import type { DoctorRow } from '../../api/upkeep.ts'
import { columns, pad } from '../../views/text/columns.ts'
import type { Paint } from '../../views/text/paint.ts'
import { plain } from '../../views/text/plain-text.ts'
import { wrap, type Width } from '../../views/text/rows.ts'

const longestName = 40
const hintIndent = 4

/** `name`: how many columns the names of the rows take. */
export function rowText({ check, ok, detail, hint }: DoctorRow, name: number, paint: Paint, width: Width): string {
  // A passing row with a hint is information, not a failure.
  const mark = !ok ? paint.bad('✗') : hint === null ? paint.good('✓') : paint.warn('·')
  const before = name + 4
  const [first = '', ...rest] = wrap(plain(detail), width, before)
  return [
    `${mark} ${pad(plain(check, longestName), name)}  ${first}`.trimEnd(),
    ...rest.map((line) => ' '.repeat(before) + line),
    ...(hint ?? '')
      .split('\n')
      .map((line) => plain(line))
      .filter((line) => line !== '')
      .flatMap((line) => wrap(line, width, hintIndent))
      .map((line) => ' '.repeat(hintIndent) + line),
  ]
    .map((line) => `${line}\n`)
    .join('')
}

export function rowsText(rows: readonly DoctorRow[], paint: Paint, width: Width): string {
  const name = Math.max(0, ...rows.map(({ check }) => columns(plain(check, longestName))))
  return rows.map((row) => rowText(row, name, paint, width)).join('')
}

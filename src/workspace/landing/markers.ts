/** Finds conflict markers and the text between them, and detects markers left in a resolution. */

/** The labels that git writes after its markers. */
export interface Labels {
  ours: string
  theirs: string
}

export interface Sides {
  base: string | null
  ours: string | null
  theirs: string | null
}

/** The length of the markers in a merged text, which git attributes can change; null when there are none. */
export const markerSize = (merged: string, { ours }: Labels): number | null =>
  new RegExp(`^(<+) ${ours}`, 'm').exec(merged)?.[1]?.length ?? null

/** Markers with or without a label, indented or not. Longer rows are headings and rulers. */
const marker = /^(?:(<+|>+|\|+)(?:\s.*)?|(=+))$/

const isRule = (row: string): boolean => row.startsWith('=')

/** Yields each marker with the line above it. */
function* rowsIn(text: string | null, sizes: ReadonlySet<number>): Generator<{ row: string; above: string }> {
  let above = ''
  for (const line of linesOf(text ?? '')) {
    const whole = line.trim()
    const [, row, rule] = marker.exec(whole) ?? []
    if (sizes.has((row ?? rule ?? '').length)) yield { row: whole, above }
    above = whole
  }
}

function counted(rows: Iterable<{ row: string }>): Map<string, number> {
  const found = new Map<string, number>()
  for (const { row } of rows) found.set(row, (found.get(row) ?? 0) + 1)
  return found
}

/**
 * Whether a marker occurs more often than both sides can explain, because some files legitimately contain markers. A
 * row of equals signs counts only next to other markers or where git wrote it in `merged`; under a new line it is a
 * heading.
 */
export function hasNewMarkers(
  result: string,
  sides: Sides,
  sizes: ReadonlySet<number>,
  merged: string | null,
): boolean {
  const written = new Set(linesOf(merged ?? '').map((line) => line.trim()))
  const rows = [...rowsIn(result, sizes)]
  const beside = rows.some(({ row }) => !isRule(row))
  const isLeft = (row: string, above: string): boolean => written.has(row) && (above === '' || written.has(above))
  const left = rows.filter(({ row, above }) => !isRule(row) || beside || isLeft(row, above))
  const [base, ours, theirs] = [sides.base, sides.ours, sides.theirs].map((text) => counted(rowsIn(text, sizes)))
  return [...counted(left)].some(([row, count]) => {
    const [was, a, b] = [base, ours, theirs].map((found) => found?.get(row) ?? 0) as [number, number, number]
    return count > Math.max(a, b, a + b - was)
  })
}

/**
 * Whether the result is the merged text with one version chosen for each conflict, so that no conflict was really
 * merged.
 */
export function onlyChooses(result: string, merged: string, labels: Labels): boolean {
  const size = markerSize(merged, labels)
  if (size === null) return false
  const lines = linesOf(result)
  const fits = (at: number, part: readonly string[]): boolean => part.every((line, n) => lines[at + n] === line)
  let reached = new Set([0])
  for (const versions of partsOf(merged, size, labels)) {
    reached = new Set(
      [...reached].flatMap((at) => versions.filter((part) => fits(at, part)).map((part) => at + part.length)),
    )
  }
  return reached.has(lines.length)
}

/**
 * The parts of the text in order. Text outside a conflict has one version; a conflict has ours, the common base and
 * theirs.
 */
function partsOf(merged: string, size: number, { ours, theirs }: Labels): string[][][] {
  const begins = `${'<'.repeat(size)} ${ours}`
  const ends = `${'>'.repeat(size)} ${theirs}`
  const parts: string[][][] = [[[]]]
  for (const line of linesOf(merged)) {
    const part = parts.at(-1) ?? []
    const isConflict = parts.length % 2 === 0
    if (!isConflict && line.startsWith(begins)) parts.push([[]])
    else if (isConflict && line.startsWith(ends)) parts.push([[]])
    else if (isConflict && (line.startsWith(`${'|'.repeat(size)} `) || line.trimEnd() === '='.repeat(size)))
      part.push([])
    else part.at(-1)?.push(line)
  }
  return parts
}

const linesOf = (text: string): string[] => text.replace(/\n$/, '').split('\n')

/** Lists that show their first items and count the others. */

/** " and 3 more"; empty when no item is left out. */
export const andMore = (left: number): string => (left > 0 ? ` and ${left} more` : '')

/** "a, b and 3 more" */
export const firstNames = (names: readonly string[], most: number): string =>
  names.slice(0, most).join(', ') + andMore(names.length - most)

/** The first lines, and a last line "and 3 more" when there are others. */
export const firstLines = (lines: readonly string[], most: number): string[] =>
  lines.length > most ? [...lines.slice(0, most), andMore(lines.length - most).trim()] : [...lines]

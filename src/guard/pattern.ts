/** Helpers to write long word lists and patterns readably. */

export const wordSet = (...lines: readonly string[]): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => line.split(' ')))

/** Returns one pattern that matches where any of these does. */
export const either = (...patterns: readonly RegExp[]): RegExp =>
  new RegExp(
    patterns.map(({ source }) => source).join('|'),
    patterns.some(({ flags }) => flags.includes('g')) ? 'gm' : 'm',
  )

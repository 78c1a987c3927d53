/** Long lists of words and patterns, written so that they can be read. */

export const wordSet = (...lines: readonly string[]): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => line.split(' ')))

/** One pattern that fits where any of these does. */
export const either = (...patterns: readonly RegExp[]): RegExp =>
  new RegExp(
    patterns.map(({ source }) => source).join('|'),
    patterns.some(({ flags }) => flags.includes('g')) ? 'gm' : 'm',
  )

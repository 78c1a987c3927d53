/** Names of tests as runners print them, compared across outputs of different detail. */

/** The test's own name: without file, groups, parameters and the suffix of unittest. */
export const leafOf = (name: string): string =>
  (
    name
      .replace(/ \([\w.]+\)$/, '')
      .split(/ [›>] |::/)
      .at(-1) ?? name
  )
    .replace(/\[.*\]$/, '')
    .trim()

/** Compares names of tests as runners print them, with different detail. */

/** The test's own name, without file, groups, parameters and the suffix of unittest. */
export function leafOf(name: string): string {
  const last =
    name
      .replace(/ \([\w.]+\)$/, '')
      .split(/ [›>] |::/)
      .at(-1) ?? name
  return last.replace(/\[.*\]$/, '').trim()
}

/** Placeholders that a table of cases fills in: `%i`, `$name`, `${name}`. */
const placeholder = /%[a-zA-Z#%]|\$\{[^}]*\}|\$[\w.]+/

/** Whether a test written with the one name may be printed with the other. */
export function isNamedLike(written: string, printed: string): boolean {
  const [left, right] = [leafOf(written), leafOf(printed)]
  if (!placeholder.test(left)) return left === right
  const parts = left.split(new RegExp(placeholder, 'g')).map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 's').test(right)
}

/** The names that occur more often than in `known`. */
export function beyond(names: readonly string[], known: readonly string[]): string[] {
  const left = [...known]
  return names.filter((name) => {
    const at = left.indexOf(name)
    if (at !== -1) left.splice(at, 1)
    return at === -1
  })
}

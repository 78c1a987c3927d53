/** Whether two paths that tasks declare (file, folder or pattern) can match the same file. */

/** Cautious: paths that may overlap count as overlapping. */
export function overlap(one: string, other: string): boolean {
  const [a, b] = [fixedPart(one), fixedPart(other)]
  if (a.whole && b.whole) return a.path === b.path || isInside(a.path, b.path) || isInside(b.path, a.path)
  // Only the part of a pattern before its wildcard is known, so a common beginning may mean the same file.
  return a.path.startsWith(b.path) || b.path.startsWith(a.path)
}

const isInside = (path: string, folder: string): boolean => folder === '' || path.startsWith(`${folder}/`)

/** The part before the first wildcard. */
function fixedPart(path: string): { path: string; whole: boolean } {
  const plain = path
    .trim()
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/')
  const wild = plain.search(/[*?[{]/)
  return wild === -1 ? { path: plain, whole: true } : { path: plain.slice(0, wild), whole: false }
}

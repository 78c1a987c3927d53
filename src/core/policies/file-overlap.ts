/** Whether two paths that tasks declare can mean the same file: a path, a folder, or a pattern. */

/** Cautious: what might be the same counts as the same. */
export function overlap(one: string, other: string): boolean {
  const [a, b] = [fixedPart(one), fixedPart(other)]
  if (a.whole && b.whole) return a.path === b.path || isInside(a.path, b.path) || isInside(b.path, a.path)
  // Of a pattern only the beginning is known: what begins alike may be the same.
  return a.path.startsWith(b.path) || b.path.startsWith(a.path)
}

const isInside = (path: string, folder: string): boolean => folder === '' || path.startsWith(`${folder}/`)

/** What comes before the first wildcard. */
function fixedPart(path: string): { path: string; whole: boolean } {
  const plain = path
    .trim()
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/')
  const wild = plain.search(/[*?[{]/)
  return wild === -1 ? { path: plain, whole: true } : { path: plain.slice(0, wild), whole: false }
}

/** Suggests the intended name for a mistyped one. */

const maxLength = 64

/** Null when no candidate is close enough. Ignores case and separators. */
export function nearest(name: string, candidates: Iterable<string>): string | null {
  const wanted = bare(name)
  if (wanted === '' || wanted.length > maxLength) return null
  let best: { candidate: string; distance: number } | null = null
  for (const candidate of candidates) {
    const distance = apart(wanted, bare(candidate))
    if (distance !== null && (best === null || distance < best.distance)) best = { candidate, distance }
  }
  return best?.candidate ?? null
}

const bare = (name: string): string => name.toLowerCase().replace(/[-_\s]/g, '')

/** Null when too far: more than a third of the letters differ, and neither name is a good part of the other. */
function apart(a: string, b: string): number | null {
  const bound = Math.max(1, Math.floor(Math.max(a.length, b.length) / 3))
  const distance = editDistance(a, b)
  if (distance <= bound) return distance
  const part = Math.min(a.length, b.length) >= 4 && (a.includes(b) || b.includes(a))
  return part ? distance : null
}

/** Insertions, deletions, replacements and swaps of neighbors. */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1]
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      current.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (same ? 0 : 1),
          swapped ? (beforeLast[column - 2] ?? 0) + 1 : Infinity,
        ),
      )
    }
    beforeLast = last
    last = current
  }
  return last[b.length] ?? 0
}

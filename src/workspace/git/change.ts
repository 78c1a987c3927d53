/** Describes how one path differs between two trees. */

export interface Entry {
  mode: string
  object: string
}

export interface Change {
  path: string
  /** Null when the path did not exist. */
  from: Entry | null
  to: Entry | null
  insertions: number
  deletions: number
}

/** The changed entries on one side of the change, as `git update-index -z --index-info` reads them. */
export function entryLines(changes: readonly Change[], side: 'from' | 'to'): string {
  const lines = changes.map(({ path, from, to }) => {
    const entry = side === 'from' ? from : to
    const nothing = `0 ${'0'.repeat((from ?? to)?.object.length ?? 40)}`
    return `${entry ? `${entry.mode} ${entry.object}` : nothing}\t${path}\0`
  })
  return lines.join('')
}

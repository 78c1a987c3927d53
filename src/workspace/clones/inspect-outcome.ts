/** Summarizes changes for the journal: full counts, and a limited number of names. */
import type { InspectOutcome } from '../../model/work.ts'
import type { Change } from '../git/change.ts'

export const namedFiles = 200

export function inspectOutcome(tree: string, changes: readonly Change[], restored: boolean): InspectOutcome {
  const sum = (count: (change: Change) => number): number => changes.reduce((total, change) => total + count(change), 0)
  return {
    kind: 'inspect',
    tree,
    restored,
    files: changes.slice(0, namedFiles).map(({ path }) => path),
    hashes: Object.fromEntries(changes.slice(0, namedFiles).map(({ path, to }) => [path, to?.object ?? null])),
    was: changes.slice(0, namedFiles).map(({ from }) => from?.object ?? null),
    fileCount: changes.length,
    insertions: sum(({ insertions }) => insertions),
    deletions: sum(({ deletions }) => deletions),
  }
}

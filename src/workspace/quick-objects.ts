/** What of git's objects Looper reads and writes without a process. Null: git must be asked. */
import { join } from 'node:path'
import type { Change } from './change.ts'
import { openLooseObjects } from './loose-objects.ts'
import { writeCommit, writeTag, type NewCommit, type Signatures } from './quick-commit.ts'

export interface QuickObjects {
  blob(id: string, maxBytes: number): Buffer | null
  commit(commit: NewCommit): string | null
  /** An annotated tag of the commit; its text begins with the empty line after the header. */
  tag(commit: string, name: string, text: string): string | null
  /** What differs between two objects that were compared a short while ago: it never changes. */
  changes(from: string, to: string): Change[] | null
  rememberChanges(from: string, to: string, changes: Change[]): void
}

/** A change is compared by the look at it, the guard and the scan for secrets, in short order. */
const mostRemembered = 16
const mostFiles = 2_000

/** Without signatures nothing is written. */
export function openQuickObjects(commonDir: string, signatures: Signatures | null): QuickObjects {
  const objects = openLooseObjects(join(commonDir, 'objects'))
  const compared = new Map<string, Change[]>()
  return {
    blob: (id, maxBytes) => objects.read('blob', id, maxBytes),
    commit: (commit) => (signatures === null ? null : writeCommit(commit, objects, signatures, new Date())),
    tag: (commit, name, text) => (signatures === null ? null : writeTag(commit, name, text, objects)),
    changes: (from, to) => compared.get(`${from} ${to}`) ?? null,
    rememberChanges(from, to, changes) {
      if (changes.length > mostFiles) return
      compared.delete(`${from} ${to}`)
      compared.set(`${from} ${to}`, changes)
      const [oldest] = compared.keys()
      if (oldest !== undefined && compared.size > mostRemembered) compared.delete(oldest)
    },
  }
}

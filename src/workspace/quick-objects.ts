/** Reads and writes git objects without a process. Null means that the caller must ask git. */
import { join } from 'node:path'
import type { Change } from './change.ts'
import { openLooseObjects } from './loose-objects.ts'
import { writeCommit, writeTag, type NewCommit, type Signatures } from './quick-commit.ts'

export interface QuickObjects {
  blob(id: string, maxBytes: number): Buffer | null
  commit(commit: NewCommit): string | null
  /** Writes an annotated tag of the commit. `text` starts with the empty line after the header. */
  tag(commit: string, name: string, text: string): string | null
  /**
   * The cached difference between two objects that were compared recently. It cannot go stale, because objects never
   * change.
   */
  changes(from: string, to: string): Change[] | null
  rememberChanges(from: string, to: string, changes: Change[]): void
}

/** Inspection, the guard and the scan for secrets compare the same trees shortly after each other. */
const mostRemembered = 16
const mostFiles = 2_000

/** Without signatures, nothing is written. */
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

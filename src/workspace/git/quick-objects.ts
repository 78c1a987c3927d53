/** Reads and writes git objects without a process. Null means that the caller must ask git. */
import { join } from 'node:path'
import type { Change, Entry } from './change.ts'
import { openLooseObjects } from './loose-objects.ts'
import { writeCommit, writeTag, type NewCommit, type Signatures } from './quick-commit.ts'
import { mergeQuickly } from './quick-merge.ts'
import { compareQuickly, writeTrees, type Difference } from './quick-trees.ts'

export interface Version {
  commit: string
  tree: string
}

export interface QuickObjects {
  blob(id: string, maxBytes: number): Buffer | null
  /** `like` is an id of the same repository. */
  writeBlob(content: Buffer, like: string): string | null
  /** The tree of a commit. */
  treeOf(commit: string): string | null
  /** The files that differ between two trees, `from` null for an empty one. */
  compare(from: string | null, to: string): Difference[] | null
  /** Writes the trees of all folders that are not in `known`, adds them to it, and returns the root. */
  writeTrees(files: Iterable<readonly [string, Entry]>, known: Map<string, string>, like: string): string | null
  /** Whether git writes the content of objects to files as it is, unless attributes in the tree say otherwise. */
  writesAsStored: boolean
  /** Whether git stores the content and the mode of files as they are, with the same exception. */
  stagesAsFound: boolean
  commit(commit: NewCommit): string | null
  /** Writes an annotated tag of the commit. `text` starts with the empty line after the header. */
  tag(commit: string, name: string, text: string): string | null
  /**
   * The tree of a clean merge of `theirs`, a commit on `base`, into `ours`. Only where every commit from `base` to
   * `ours` was written here, because only then is `base` known to be what both have in common.
   */
  merge(base: Version, ours: Version, theirs: Version): string | null
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
export function openQuickObjects(
  commonDir: string,
  signatures: Signatures | null,
  writesAsStored = false,
  stagesAsFound = writesAsStored,
): QuickObjects {
  const objects = openLooseObjects(join(commonDir, 'objects'))
  const compared = new Map<string, Change[]>()
  const parents = new Map<string, string>()
  const commit = (made: NewCommit): string | null => {
    const id = signatures === null ? null : writeCommit(made, objects, signatures, new Date())
    const [parent, ...others] = made.parents
    if (id !== null && parent !== undefined && others.length === 0) parents.set(id, parent)
    return id
  }
  /** `theirs` is not among them: it would have been merged before. */
  const isBetween = (base: string, ours: string, theirs: string): boolean => {
    for (let at: string | undefined = ours; at !== undefined && at !== theirs; at = parents.get(at))
      if (at === base) return true
    return false
  }
  return {
    blob: (id, maxBytes) => objects.read('blob', id, maxBytes),
    writeBlob: (content, like) => (signatures === null ? null : objects.write('blob', content, like)),
    treeOf(commit) {
      const text = objects.read('commit', commit, 64 * 1024)?.toString('latin1', 0, 80) ?? ''
      return /^tree ([0-9a-f]{40,64})\n/.exec(text)?.[1] ?? null
    },
    compare: (from, to) => compareQuickly(from, to, objects),
    writeTrees: (files, known, like) => (signatures === null ? null : writeTrees(files, known, objects, like)),
    writesAsStored,
    stagesAsFound,
    commit,
    tag: (commit, name, text) => (signatures === null ? null : writeTag(commit, name, text, objects)),
    merge: (base, ours, theirs) =>
      signatures !== null && isBetween(base.commit, ours.commit, theirs.commit)
        ? mergeQuickly(base.tree, ours.tree, theirs.tree, objects)
        : null,
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

/**
 * Merges trees without a process where no file differs on both sides. Null means that git must merge: files were
 * changed on both sides, one may have been renamed, or a tree is not a loose object.
 */
import type { Entry } from './change.ts'
import type { LooseObjects } from './loose-objects.ts'
import { encodeTree, folderMode, isSameEntry as isSame, readParts, type Tree } from './quick-trees.ts'

/** `base`, `ours` and `theirs` are ids of trees. Returns the id of the merged tree. */
export function mergeQuickly(base: string, ours: string, theirs: string, objects: LooseObjects): string | null {
  if (theirs === base) return ours
  if (ours === base) return theirs
  if (ours === theirs) return ours
  const read = readParts([base, ours, theirs], objects)
  const [old, own, other] = read?.parts ?? []
  if (!read || old === undefined || own === undefined || other === undefined) return null
  const merged: Tree = new Map()
  for (const name of new Set(read.parts.flatMap((tree) => [...tree.keys()]))) {
    const entry = mergeEntry(old.get(name), own.get(name), other.get(name), objects)
    if (entry === null) return null
    merged.set(name, entry)
  }
  return objects.write('tree', Buffer.concat([read.head, encodeTree(merged), read.tail]), ours)
}

function mergeEntry(
  base: Entry | undefined,
  ours: Entry | undefined,
  theirs: Entry | undefined,
  objects: LooseObjects,
): Entry | null {
  // What one side removed may have been renamed. Only git finds that out.
  if (base && (!ours || !theirs)) return null
  if (!ours || !theirs) return ours ?? theirs ?? null
  if (base && isSame(base, theirs)) return ours
  if (base && isSame(base, ours)) return theirs
  // A file that both sides removed from the folder may have been renamed on each side.
  if (isSame(ours, theirs)) return base && [base, ours].some(({ mode }) => mode === folderMode) ? null : ours
  if (!base || [base, ours, theirs].some(({ mode }) => mode !== folderMode)) return null
  const object = mergeQuickly(base.object, ours.object, theirs.object, objects)
  return object === null ? null : { mode: folderMode, object }
}

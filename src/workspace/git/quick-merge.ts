/**
 * Merges trees without a process where no file differs on both sides. Null means that git must merge: files were
 * changed on both sides, one may have been renamed, or a tree is not a loose object.
 */
import type { Entry } from './change.ts'
import type { LooseObjects } from './loose-objects.ts'

/** Names are decoded as latin1, which keeps their bytes and their order. */
type Tree = Map<string, Entry>

const folderMode = '40000'
const modes = new Set([folderMode, '100644', '100755', '120000', '160000'])
const mostBytes = 1024 * 1024

/** `base`, `ours` and `theirs` are ids of trees. Returns the id of the merged tree. */
export function mergeQuickly(base: string, ours: string, theirs: string, objects: LooseObjects): string | null {
  if (theirs === base) return ours
  if (ours === base) return theirs
  if (ours === theirs) return ours
  const trees = [base, ours, theirs].flatMap((id) => readTree(id, objects) ?? [])
  const [old, own, other] = trees
  if (old === undefined || own === undefined || other === undefined) return null
  const merged: Tree = new Map()
  for (const name of new Set(trees.flatMap((tree) => [...tree.keys()]))) {
    const entry = mergeEntry(old.get(name), own.get(name), other.get(name), objects)
    if (entry === null) return null
    merged.set(name, entry)
  }
  return objects.write('tree', encodeTree(merged), ours)
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

const isSame = (one: Entry, other: Entry): boolean => one.mode === other.mode && one.object === other.object

/** Each entry is a mode, a space, a name, a zero byte and the id in binary. */
function readTree(id: string, objects: LooseObjects): Tree | null {
  const content = objects.read('tree', id, mostBytes)
  if (content === null) return null
  const tree: Tree = new Map()
  for (let at = 0; at < content.length;) {
    const [space, end] = [content.indexOf(' ', at), content.indexOf(0, at)]
    const next = end + 1 + id.length / 2
    const mode = content.toString('latin1', at, space)
    // Git rewrites unusual modes of old repositories.
    if (space < at || end < space || next > content.length || !modes.has(mode)) return null
    tree.set(content.toString('latin1', space + 1, end), { mode, object: content.toString('hex', end + 1, next) })
    at = next
  }
  return tree
}

/** Git sorts a folder as if its name ended with a slash. */
function encodeTree(tree: Tree): Buffer {
  const keyed = [...tree].map(([name, entry]) => ({
    key: entry.mode === folderMode ? `${name}/` : name,
    bytes: Buffer.concat([Buffer.from(`${entry.mode} ${name}\0`, 'latin1'), Buffer.from(entry.object, 'hex')]),
  }))
  return Buffer.concat(keyed.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map(({ bytes }) => bytes))
}

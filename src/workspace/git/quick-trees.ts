/** Reads, writes and compares trees without a process. Null means that the caller must ask git. */
import type { Entry } from './change.ts'
import type { LooseObjects } from './loose-objects.ts'

/** Names are decoded as latin1, which keeps their bytes and their order. */
export type Tree = Map<string, Entry>

/** A file that differs between two trees. The path is decoded as latin1. */
export interface Difference {
  path: string
  from: Entry | null
  to: Entry | null
}

export const folderMode = '40000'
const modes = new Set([folderMode, '100644', '100755', '120000', '160000'])
const mostBytes = 1024 * 1024
/** More differences are left to git. */
const mostDifferences = 200

export const isSameEntry = (one: Entry, other: Entry): boolean => one.mode === other.mode && one.object === other.object

/** The files that differ, in no order. `from` is null for an empty tree. */
export function compareQuickly(from: string | null, to: string, objects: LooseObjects): Difference[] | null {
  const found: Difference[] = []
  const walk = (old: string | null, now: string | null, folder: string): boolean => {
    const [before, after] = readParts([old, now], objects)?.parts ?? []
    if (!before || !after) return false
    for (const name of new Set([...before.keys(), ...after.keys()])) {
      const [was, is] = [before.get(name) ?? null, after.get(name) ?? null]
      if (was && is && isSameEntry(was, is)) continue
      const path = folder + name
      const inner = [was, is].map((entry) => (entry?.mode === folderMode ? entry.object : null))
      if (inner.some((id) => id !== null) && !walk(inner[0] ?? null, inner[1] ?? null, `${path}/`)) return false
      const [file, newFile] = [was, is].map((entry) => (entry?.mode === folderMode ? null : entry))
      if (file || newFile) found.push({ path, from: file ?? null, to: newFile ?? null })
      if (found.length > mostDifferences) return false
    }
    return true
  }
  return walk(from, to, '') ? found : null
}

export interface Parts {
  /** What the trees have without the entries that all of them begin and end with. */
  parts: Tree[]
  /** Those entries, as bytes. */
  head: Buffer
  tail: Buffer
}

/** Large trees mostly have the same entries, so only the part is read in which they differ. Null is an empty tree. */
export function readParts(ids: readonly (string | null)[], objects: LooseObjects): Parts | null {
  const known = ids.flatMap((id) => id ?? [])
  const contents = ids.flatMap((id) => (id === null ? noBytes : (objects.read('tree', id, mostBytes) ?? [])))
  const [first = noBytes] = contents
  const idBytes = (known[0]?.length ?? 0) / 2
  if (contents.length < ids.length || known.some(({ length }) => length !== idBytes * 2)) return null
  const start = sameStart(contents, idBytes)
  const end = sameEnd(contents, start, idBytes)
  const parts = contents.flatMap((content) => parseTree(content.subarray(start, content.length - end), idBytes) ?? [])
  if (parts.length < ids.length) return null
  return { parts, head: first.subarray(0, start), tail: first.subarray(first.length - end) }
}

const noBytes = Buffer.alloc(0)

/** The end of the entry at this place, or of all. */
function endOfEntry(content: Buffer, at: number, idBytes: number): number {
  const end = content.indexOf(0, at)
  return end < 0 ? content.length : Math.min(content.length, end + 1 + idBytes)
}

/** How many bytes of whole entries all trees begin with. */
function sameStart([first = noBytes, ...others]: readonly Buffer[], idBytes: number): number {
  let at = 0
  while (at < first.length) {
    const end = endOfEntry(first, at, idBytes)
    if (others.some((other) => end > other.length || first.compare(other, at, end, at, end) !== 0)) break
    at = end
  }
  return at
}

/** How many bytes of whole entries all trees end with, after the first `start` bytes. */
function sameEnd([first = noBytes, ...others]: readonly Buffer[], start: number, idBytes: number): number {
  const isEnd = (length: number): boolean =>
    others.every((other) => {
      const from = other.length - length
      return from >= start && first.compare(other, from, other.length, first.length - length, first.length) === 0
    })
  for (let at = start; at < first.length; at = endOfEntry(first, at, idBytes)) {
    const length = first.length - at
    if (!isEnd(length)) continue
    // Bytes of an id may look like the beginning of an entry.
    return others.every((other) => isStart(other, start, other.length - length, idBytes)) ? length : 0
  }
  return 0
}

function isStart(content: Buffer, from: number, wanted: number, idBytes: number): boolean {
  let at = from
  while (at < wanted) at = endOfEntry(content, at, idBytes)
  return at === wanted
}

/** Each entry is a mode, a space, a name, a zero byte and the id in binary. */
function parseTree(content: Buffer, idBytes: number): Tree | null {
  const tree: Tree = new Map()
  for (let at = 0; at < content.length;) {
    const [space, end] = [content.indexOf(' ', at), content.indexOf(0, at)]
    const next = end + 1 + idBytes
    const mode = content.toString('latin1', at, space)
    // Git rewrites unusual modes of old repositories.
    if (space < at || end < space || next > content.length || !modes.has(mode)) return null
    const name = content.toString('latin1', space + 1, end)
    // Only git knows what it makes of a damaged tree.
    if (name === '' || name.includes('/') || tree.has(name)) return null
    tree.set(name, { mode, object: content.toString('hex', end + 1, next) })
    at = next
  }
  return tree
}

/** Git sorts a folder as if its name ended with a slash. */
export function encodeTree(tree: Tree): Buffer {
  const keyed = [...tree].map(([name, entry]) => ({
    key: entry.mode === folderMode ? `${name}/` : name,
    bytes: Buffer.concat([Buffer.from(`${entry.mode} ${name}\0`, 'latin1'), Buffer.from(entry.object, 'hex')]),
  }))
  return Buffer.concat(keyed.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map(({ bytes }) => bytes))
}

/** Writes the trees of all folders that are not in `known`, and adds them to it. Paths are decoded as latin1. */
export function writeTrees(
  files: Iterable<readonly [path: string, entry: Entry]>,
  known: Map<string, string>,
  objects: LooseObjects,
  like: string,
): string | null {
  const folders = new Map<string, Tree>([['', new Map()]])
  for (const [path, entry] of files) {
    let end = path.lastIndexOf('/')
    treeIn(folders, path.slice(0, Math.max(0, end))).set(path.slice(end + 1), entry)
    for (; end > 0; end = path.lastIndexOf('/', end - 1)) treeIn(folders, path.slice(0, end))
  }
  // Folders come before the folder that contains them.
  const deepest = [...folders].toSorted(([a], [b]) => b.length - a.length)
  for (const [folder, tree] of deepest) {
    const object = known.get(folder) ?? objects.write('tree', encodeTree(tree), like)
    if (object === null) return null
    known.set(folder, object)
    const at = folder.lastIndexOf('/')
    if (folder !== '')
      folders.get(folder.slice(0, Math.max(0, at)))?.set(folder.slice(at + 1), { mode: folderMode, object })
  }
  return known.get('') ?? null
}

function treeIn(folders: Map<string, Tree>, folder: string): Tree {
  const tree = folders.get(folder) ?? new Map<string, Entry>()
  folders.set(folder, tree)
  return tree
}

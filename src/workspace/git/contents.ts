/** Reads the text of changed files on both sides in one batch. */
import type { ChangedFile } from '../../model/tamper.ts'
import { git, type GitCall } from './git.ts'
import type { Change, Entry } from './change.ts'
import { compareTrees, isGitlink } from './tree-changes.ts'

/** The most bytes of blobs that one git call reads. */
const atOnce = 64 * 1024 * 1024

type Sides = Pick<Change, 'path' | 'from' | 'to'>

/**
 * A binary side, or one longer than `maxBytes`, counts as absent. A file without a readable side is omitted. With
 * `binary`, non-text bytes are decoded as latin1.
 */
export async function readChanged(
  from: string,
  to: string,
  maxBytes: number,
  call: GitCall,
  also: readonly string[] = [],
  binary = false,
): Promise<ChangedFile[]> {
  const changed = (await compareTrees(from, to, call)).filter(
    ({ from: old, to: now }) => !isGitlink(old) && !isGitlink(now),
  )
  const known = new Set(changed.map(({ path }) => path))
  const same = also.length === 0 ? [] : (await filesAt(from, also, call)).filter(({ path }) => !known.has(path))
  const changes: Sides[] = [...changed, ...same]
  const ids = changes.flatMap(({ from: old, to: now }) => [old, now]).flatMap((entry) => entry?.object ?? [])
  const texts = await readTexts(ids, maxBytes, call, binary)
  const text = (entry: Entry | null): string | null => (entry && texts.get(entry.object)) ?? null
  return changes
    .map(({ path, from: old, to: now }) => ({ path, before: text(old), after: text(now) }))
    .filter(({ before, after }) => before !== null || after !== null)
}

async function filesAt(tree: string, paths: readonly string[], call: GitCall): Promise<Sides[]> {
  const listed = await git(['--literal-pathspecs', 'ls-tree', '-z', '--full-tree', tree, '--', ...paths], call)
  return listed.split('\0').flatMap((line) => {
    const [, mode, object, path] = /^(\d+) blob (\w+)\t(.+)$/s.exec(line) ?? []
    if (mode === undefined || object === undefined || path === undefined) return []
    return [{ path, from: { mode, object }, to: { mode, object } }]
  })
}

/** Maps objects to their text. Binary, too long and missing objects are omitted. */
export async function readTexts(
  objects: readonly string[],
  maxBytes: number,
  call: GitCall,
  binary = false,
): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  const add = (id: string, content: Buffer): void => {
    if (!content.includes(0)) texts.set(id, content.toString('utf8'))
    else if (binary) texts.set(id, content.toString('latin1'))
  }
  const ids = [...new Set(objects)].filter((id) => {
    const content = call.quick?.blob(id, maxBytes) ?? null
    if (content !== null) add(id, content)
    return content === null
  })
  if (ids.length === 0) return texts
  const known = await git(['cat-file', '--batch-check=%(objectname) %(objectsize)'], { ...call, input: lines(ids) })
  const sized = known
    .split('\n')
    .map((line) => line.split(' '))
    .map(([id = '', size]) => ({ id, size: Number(size) }))
  for (const group of groups(sized.filter(({ size }) => size <= maxBytes))) {
    const read = await git(['cat-file', '--batch=%(objectname) %(objectsize)'], {
      ...call,
      input: lines(group),
      encoding: 'latin1',
    })
    for (const [id, content] of blobsIn(read)) add(id, Buffer.from(content, 'latin1'))
  }
  return texts
}

const lines = (ids: readonly string[]): string => `${ids.join('\n')}\n`

function groups(sized: readonly { id: string; size: number }[]): string[][] {
  const all: string[][] = []
  let room = 0
  for (const { id, size } of sized) {
    if (size > room || all.length === 0) {
      all.push([])
      room = atOnce
    }
    all.at(-1)?.push(id)
    room -= size
  }
  return all
}

function* blobsIn(read: string): Generator<[id: string, content: string]> {
  for (let at = 0; at < read.length;) {
    const end = read.indexOf('\n', at)
    const [id = '', size = '0'] = read.slice(at, end).split(' ')
    yield [id, read.slice(end + 1, end + 1 + Number(size))]
    at = end + 1 + Number(size) + 1
  }
}

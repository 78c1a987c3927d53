/**
 * Writes the `.git` of a clone that shares only objects with the user's repository. It is a few files, written without
 * git: that takes a millisecond and discards anything an agent changed in an earlier one.
 */
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ifExists, readNow } from '../../platform/files.ts'
import { removeNow } from '../../platform/mounts.ts'
import { readLine } from '../git/loose-ref.ts'
import { overwriteFile, replaceFile } from './work-tree.ts'
import { removeTree } from './remove-tree.ts'

export interface CloneSource {
  /** The repository whose objects the clone borrows. */
  commonDir: string
  /** The content of the clone's `config`. */
  config: string
  /** The content of its `packed-refs`. */
  refs: string
  attributes: string
  exclude: string
}

const folders = ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags', 'info']
const isCommit = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

/** The listing of the git directory that was last written for a source. */
const written = new WeakMap<CloneSource, string>()

/**
 * Replaces `<path>/.git` with a new one that has HEAD detached at `commit` and no index. `kept` is a subfolder that is
 * preserved.
 */
export async function writeCloneGitDir(
  path: string,
  commit: string,
  source: CloneSource,
  kept?: string,
): Promise<void> {
  const [gitDir, fresh, old] = [join(path, '.git'), join(path, '.git.looper-new'), join(path, '.git.looper-old')]
  for (const leftover of [fresh, old]) if (lstatSync(leftover, { throwIfNoEntry: false })) await removeSmall(leftover)
  const files = filesOf(source)
  if (isUntouched(gitDir, files, source, kept)) {
    removeNow(join(gitDir, 'index'))
    // Overwrites the file, because replacing it makes some file systems flush to disk at once.
    overwriteFile(join(gitDir, 'HEAD'), `${commit}\n`)
    return
  }
  for (const folder of folders) mkdirSync(join(fresh, folder), { recursive: true })
  for (const [name, text] of Object.entries({ ...files, HEAD: `${commit}\n` })) writeFileSync(join(fresh, name), text)
  written.set(source, listing(fresh, kept))
  if (kept !== undefined && isFolder(gitDir) && isFolder(join(gitDir, kept)))
    renameSync(join(gitDir, kept), join(fresh, kept))
  if (ifExists(() => lstatSync(gitDir), gitDir)) renameSync(gitDir, old)
  renameSync(fresh, gitDir)
  await removeSmall(old)
}

function filesOf(source: CloneSource): Record<string, string> {
  const shallow = readNow(join(source.commonDir, 'shallow'))
  return {
    config: source.config,
    'packed-refs': source.refs,
    'info/exclude': source.exclude,
    'objects/info/alternates': alternatesOf(source),
    ...(source.attributes === '' ? {} : { 'info/attributes': source.attributes }),
    ...(shallow === null ? {} : { shallow: shallow.toString('utf8') }),
  }
}

/** Only HEAD and the index may differ. Reading a few files is faster than removing and writing them. */
function isUntouched(
  gitDir: string,
  files: Record<string, string>,
  source: CloneSource,
  kept: string | undefined,
): boolean {
  try {
    return (
      isFolder(gitDir)
      && listing(gitDir, kept) === written.get(source)
      && Object.entries(files).every(([name, text]) => readFileSync(join(gitDir, name), 'utf8') === text)
    )
  } catch {
    return false
  }
}

/** Names, types, modes and link counts, without the index and the kept folder. */
function listing(gitDir: string, kept: string | undefined, folder = ''): string {
  const lines = readdirSync(join(gitDir, folder))
    .toSorted()
    .map((name) => {
      const path = folder === '' ? name : `${folder}/${name}`
      const found = lstatSync(join(gitDir, path))
      if (found.isDirectory()) return path === kept ? '' : `${path} ${found.mode}\n${listing(gitDir, kept, path)}`
      return path === 'index' ? '' : `${path} ${found.mode} ${found.nlink}\n`
    })
  return folder === '' ? `${lstatSync(gitDir).mode}\n${lines.join('')}` : lines.join('')
}

const isFolder = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/**
 * Whether git in `path` finds this clone and no other repository. It does not check the rest, which the agent may
 * change.
 */
export function isCloneWhole(path: string, source: Pick<CloneSource, 'commonDir'>): boolean {
  const gitDir = join(path, '.git')
  if (!ifExists(() => lstatSync(gitDir), gitDir)?.isDirectory() || existsSync(join(gitDir, 'commondir'))) return false
  const head = readLine(join(gitDir, 'HEAD')) ?? ''
  const isHead = isCommit.test(head) || /^ref: refs\/\S/.test(head)
  const alternates = readLine(join(gitDir, 'objects', 'info', 'alternates'))
  return (
    isHead
    && alternates === alternatesOf(source).trim()
    && readLine(join(gitDir, 'config')) !== null
    && existsSync(join(gitDir, 'refs'))
  )
}

const leftovers =
  /\.lock$|^(MERGE_|CHERRY_PICK_HEAD|REVERT_HEAD|REBASE_HEAD|AUTO_MERGE|SQUASH_MSG|BISECT_|rebase-|sequencer)/

/** Detaches HEAD at `commit` and aborts a merge, rebase or bisect in progress. The agent's branches and stash stay. */
export async function putHead(gitDir: string, commit: string): Promise<void> {
  for (const name of readdirSync(gitDir)) {
    if (leftovers.test(name)) removeNow(join(gitDir, name))
  }
  replaceFile(join(gitDir, 'HEAD'), `${commit}\n`)
}

/** The commit at HEAD of the clone, read from its files; null when they do not name one. */
export function headOf(gitDir: string): string | null {
  const text = readLine(join(gitDir, 'HEAD')) ?? ''
  const ref = /^ref: (refs\/\S+)$/.exec(text)?.[1]
  return ref === undefined ? commitOrNull(text) : readRef(gitDir, ref)
}

/** The commit of a ref in the clone. */
export function readRef(gitDir: string, ref: string): string | null {
  if (ref.split('/').includes('..')) return null
  const loose = commitOrNull(readLine(join(gitDir, ref)) ?? '')
  if (loose !== null) return loose
  const packed = (readLine(join(gitDir, 'packed-refs')) ?? '').split('\n').find((line) => line.endsWith(` ${ref}`))
  return commitOrNull(packed?.split(' ')[0] ?? '')
}

const commitOrNull = (text: string): string | null => (isCommit.test(text) ? text : null)

/** A path with a line feed must be quoted. */
function alternatesOf({ commonDir }: Pick<CloneSource, 'commonDir'>): string {
  const objects = join(commonDir, 'objects')
  return `${objects.includes('\n') ? quotedPath(objects) : objects}\n`
}

/** Quotes a path as git does in lists of object folders. */
export const quotedPath = (path: string): string =>
  `"${path.replace(/[\\"]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}"`

/** Usually a few small files, so the synchronous removal comes first. */
async function removeSmall(path: string): Promise<void> {
  try {
    removeNow(path)
  } catch {
    await removeTree(path)
  }
}

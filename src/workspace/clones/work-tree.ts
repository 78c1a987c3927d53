/**
 * A work tree as Looper reads it: through its own index, so that an agent's use of git does not affect what Looper
 * finds.
 */
import {
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  lstatSync,
  openSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { errnoOf, ifExists } from '../../platform/files.ts'
import { removeNow } from '../../platform/mounts.ts'
import type { QuickObjects } from '../git/quick-objects.ts'
import type { StagedSnapshot } from '../index/staged-snapshot.ts'

export interface WorkTree {
  path: string
  /** The git directory of this work tree: the agent's clone or the user's checkout. */
  gitDir: string
  /** Variables that make Looper's git use its own git directory instead. */
  env?: Record<string, string>
  /** Looper's own index. It reflects the content of files, not what the agent staged or flagged. */
  index: string
  /** The file with additional ignore rules: the user's global ones, and the files that Looper put here. */
  excludes: string
  /** Paths that Looper put here (`folder/` for a whole folder). They are never part of a change. */
  foreign: string[]
  /** The state of the tree's usual index when Looper last wrote it; see `recordUsualIndex`. */
  usualIndex: string | null
  /** What was there when Looper last read it; absent: that is not recorded. */
  seen?: StagedSnapshot | null
  /** Writes trees to the repository without starting git; absent: git writes them. */
  quick?: QuickObjects
}

const usualIndexOf = (workTree: WorkTree): string => join(workTree.gitDir, 'index')

/** Returns a fingerprint of the tree's usual index. Equal fingerprints mean that it was not changed in between. */
export function recordUsualIndex(workTree: WorkTree): string | null {
  const found = ifExists(() => lstatSync(usualIndexOf(workTree)), workTree.gitDir)
  return found?.isFile() ? `${found.ino}:${found.size}:${found.mtimeMs}` : null
}

/**
 * Initializes Looper's index from the usual one, which has the timestamps of files, so that git need not read them
 * again.
 */
export function adoptUsualIndex(workTree: WorkTree): void {
  copyIndex(usualIndexOf(workTree), workTree.index)
  workTree.usualIndex = recordUsualIndex(workTree)
}

/**
 * After Looper changed the files, copies its index to the usual one, so that git in that tree shows the files as
 * unchanged.
 */
export function publishIndex(workTree: WorkTree): void {
  copyIndex(workTree.index, usualIndexOf(workTree))
  workTree.usualIndex = recordUsualIndex(workTree)
}

/** The copy keeps its timestamp, because git uses it to find entries that are too recent to trust. */
function copyIndex(from: string, to: string): void {
  putInPlace(`${to}.looper`, to, (temporary) => {
    copyFileSync(from, temporary, constants.COPYFILE_EXCL)
    const seconds = Math.floor(statSync(from).mtimeMs / 1000)
    utimesSync(temporary, seconds, seconds)
  })
}

/** Writes the file atomically, without making it durable. It never has another time than `atMs`. */
export function replaceFile(path: string, content: string | Buffer, atMs?: number): void {
  putInPlace(`${path}.new`, path, (temporary) => {
    writeFileSync(temporary, content, { flag: 'wx' })
    if (atMs !== undefined) utimesSync(temporary, atMs / 1_000, atMs / 1_000)
  })
}

/**
 * Overwrites a file of the same length in one write, which avoids a new file; otherwise replaces it. Links are not
 * written through.
 */
export function overwriteFile(path: string, content: string): void {
  const bytes = Buffer.from(content)
  const file = openOwn(path)
  if (file === null) return replaceFile(path, content)
  try {
    const { nlink, size } = fstatSync(file)
    if (nlink !== 1 || size !== bytes.length) return replaceFile(path, content)
    writeSync(file, bytes, 0, bytes.length, 0)
  } finally {
    closeSync(file)
  }
}

function openOwn(path: string): number | null {
  try {
    return openSync(path, constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch {
    return null
  }
}

/**
 * These names belong to Looper. Anything in the way is removed without opening it: a killed process leaves a file, and
 * an agent may leave a pipe, link or folder.
 */
function putInPlace(temporary: string, path: string, make: (file: string) => void): void {
  const put = (): void => {
    make(temporary)
    renameSync(temporary, path)
  }
  try {
    put()
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST' && errnoOf(error) !== 'EISDIR') throw error
    removeNow(temporary)
    if (ifExists(() => lstatSync(path), path)?.isDirectory()) removeNow(path)
    put()
  }
}

/** A killed git leaves its lock behind. Removing it is safe, because only Looper writes this index. */
export function dropIndexLock({ index }: WorkTree): void {
  const lock = `${index}.lock`
  removeNow(lock)
}

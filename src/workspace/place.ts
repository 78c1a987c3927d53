/**
 * A work tree as Looper sees it: through an index of its own, so that nothing an agent does with git changes what
 * Looper finds.
 */
import {
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { errnoOf, ifExists } from '../platform/files.ts'

export interface Place {
  path: string
  /** The git directory that is used in this work tree: of the agent's clone, or of the user's checkout. */
  gitDir: string
  /** Variables that make Looper's git use a directory of its own instead. */
  env?: Record<string, string>
  /** Looper's own index: content counts, not what was staged or flagged in the tree's usual one. */
  index: string
  /** Ignore rules on top of the repository's: the user's global ones, and what Looper brought here. */
  excludes: string
  /** Paths that Looper brought here (`folder/` for a whole folder): never part of a change. */
  foreign: string[]
  /** What the tree's usual index looked like when Looper last wrote it. */
  usualIndex: string | null
}

const usualIndexOf = (place: Place): string => join(place.gitDir, 'index')

/** Notes the state of the tree's usual index; equal notes mean nobody has touched it since. */
export function noteUsualIndex(place: Place): string | null {
  const found = ifExists(() => lstatSync(usualIndexOf(place)), place.gitDir)
  return found?.isFile() ? `${found.ino}:${found.size}:${found.mtimeMs}` : null
}

/** Looper's index starts as a copy of the usual one, which knows the files' times: nothing has to be read again. */
export function adoptUsualIndex(place: Place): void {
  copyIndex(usualIndexOf(place), place.index)
  place.usualIndex = noteUsualIndex(place)
}

/** After Looper moved the files, whoever uses git in that tree sees them as they are. */
export function publishIndex(place: Place): void {
  copyIndex(place.index, usualIndexOf(place))
  place.usualIndex = noteUsualIndex(place)
}

/** The copy keeps its time: git tells by it which entries are too young to be trusted unread. */
function copyIndex(from: string, to: string): void {
  putInPlace(`${to}.looper`, to, (temporary) => {
    copyFileSync(from, temporary, constants.COPYFILE_EXCL)
    const seconds = Math.floor(statSync(from).mtimeMs / 1000)
    utimesSync(temporary, seconds, seconds)
  })
}

/** Scratch files need be whole, not durable. */
export function replaceFile(path: string, content: string): void {
  putInPlace(`${path}.new`, path, (temporary) => writeFileSync(temporary, content, { flag: 'wx' }))
}

/**
 * In one write over a file of the same length, which costs no new one; else as above. What leads elsewhere is not
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
 * These names are Looper's own. What is in the way goes, unopened: a killed process leaves a file, an agent may a pipe,
 * link or folder.
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
    rmSync(temporary, { recursive: true, force: true })
    if (ifExists(() => lstatSync(path), path)?.isDirectory()) rmSync(path, { recursive: true, force: true })
    put()
  }
}

/** A git that was killed leaves its lock behind; nobody else writes this index. */
export function dropIndexLock({ index }: Place): void {
  const lock = `${index}.lock`
  // Node takes a while to find out that there is nothing to remove.
  if (lstatSync(lock, { throwIfNoEntry: false })) rmSync(lock, { recursive: true, force: true })
}

/**
 * Lists of files as text, so that ten thousand files are one string: they are compared and stored often and rarely
 * read. Each line has type, mode, size, links, inode, times and name of a file, and ends with a zero byte. Characters
 * are bytes (latin1). A list that Node made is JSON.
 */
import { constants, type Stats } from 'node:fs'

export interface FileList {
  /** The listed folders. */
  roots: readonly string[]
  text: string
}

export const nothingListed: FileList = { roots: [], text: '' }

/** What `find` prints for each file. */
export const lineFormat = String.raw`%y %m %s %n %i %T@ %C@ %p\0`

/** The lines in an order that does not depend on the file system. */
export const sortedLines = (text: string): string[] => text.split('\0').toSorted()

export const isSameList = (one: string, other: string): boolean =>
  one === other || (one.length === other.length && sortedLines(one).join('\0') === sortedLines(other).join('\0'))

/** Identities by path. Throws when the text is no list. */
export function identitiesIn(text: string): Record<string, string> {
  if (text.startsWith('{')) return JSON.parse(Buffer.from(text, 'latin1').toString()) as Record<string, string>
  const found: Record<string, string> = {}
  for (const line of text.split('\0')) {
    if (line === '') continue
    const [type = '', mode = '', size = '', links = '', ino = '', mtime = '', ctime = '', ...name] = line.split(' ')
    const kind = kinds[type]
    if (kind === undefined || name.length === 0) throw new Error('The list of files cannot be read.')
    found[pathIn(name.join(' '))] = identityFrom({
      isFolder: type === 'd',
      ino: Number(ino),
      size: Number(size),
      mode: kind | Number.parseInt(mode, 8),
      nlink: Number(links),
      mtimeMs: milliseconds(mtime),
      ctimeMs: milliseconds(ctime),
    })
  }
  return found
}

/** Whether `find` listed nothing but files, links and folders. */
export const isPlainList = (text: string): boolean => text.endsWith('\0') && !/(?:^|\0)[^fdl\0]/.test(text)

const kinds: Record<string, number> = { f: constants.S_IFREG, d: constants.S_IFDIR, l: constants.S_IFLNK }

/** The name without "./" at its start, as text. */
const pathIn = (name: string): string => Buffer.from(name.replace(/^\.\//, ''), 'latin1').toString()

/** The same number as that of Node, from seconds and nanoseconds. */
function milliseconds(text: string): number {
  const [seconds, fraction = ''] = text.split('.')
  return Number(seconds) * 1000 + Number(fraction.slice(0, 9)) / 1e6
}

export interface FileFacts extends Pick<Stats, 'ino' | 'size' | 'mode' | 'nlink' | 'mtimeMs' | 'ctimeMs'> {
  isFolder: boolean
}

/**
 * A new hard link, as package managers create them, changes the ctime of a file. So a file with several links uses its
 * mtime.
 */
export function identityFrom({ isFolder, ino, size, mode, nlink, mtimeMs, ctimeMs }: FileFacts): string {
  if (isFolder) return 'folder'
  return `${ino}:${size}:${mode}:${nlink > 1 ? `m${mtimeMs}` : `c${ctimeMs}`}`
}

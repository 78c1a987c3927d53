/**
 * Reads a text file that must be inside a folder: its content becomes part of a prompt, and prompts leave the machine.
 */
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { isAbsolute, join, relative, sep } from 'node:path'
import { errnoOf } from '../platform/files.ts'
import type { LintCode } from './finding.ts'

export type ReadText = { text: string } | { code: Extract<LintCode, 'P001' | 'P002'>; wrong: string }

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'is missing',
  ENOTDIR: 'is missing',
  ELOOP: 'is a symbolic link that goes in circles',
  ENAMETOOLONG: 'has too long a name',
  EACCES: 'may not be read',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'is not UTF-8',
  ERR_INVALID_ARG_VALUE: 'has a name that no file can have',
}

const leadsOut: ReadText = { code: 'P002', wrong: 'leads out of the project' }

/**
 * Normalizes line ends to `
 * `.
 */
export function readText(path: string, within: string, maxBytes: number): ReadText {
  try {
    if (!isWithin(path, within)) return leadsOut
    const real = realpathSync(path)
    if (!isWithin(real, realpathSync(within))) return leadsOut
    const facts = statSync(real)
    // Reading a pipe or a device could block forever.
    if (!facts.isFile())
      return { code: 'P001', wrong: facts.isDirectory() ? 'is a folder, not a file' : 'is not a regular file' }
    if (facts.size > maxBytes) return { code: 'P001', wrong: `is larger than ${maxBytes / 1024} kB` }
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(real)).replaceAll('\r\n', '\n') }
  } catch (error) {
    const errno = errnoOf(error)
    if (errno === null) throw error
    return { code: 'P001', wrong: reasons[errno] ?? `cannot be read (${errno})` }
  }
}

export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** Returns the path relative to the project, if it is inside. */
export const shownPath = (path: string, root: string): string =>
  isWithin(path, root) ? relative(root, path) || path : path

/** Resolves a path of a definition against a folder. The caller must check that it stays inside. */
export const below = (folder: string, path: string): string => (isAbsolute(path) ? path : join(folder, path))

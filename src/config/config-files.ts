/** Locates configuration files, and scans them quickly for commands that need only one key. */
import { readFileSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { errnoOf } from '../platform/files.ts'
import type { Environment } from './layer.ts'

export interface ConfigFile {
  name: 'user' | 'project'
  path: string
  /** The path as shown to people. */
  where: string
}

export function userFile(env: Environment, home: string): ConfigFile {
  const xdg = env['XDG_CONFIG_HOME']
  const path = join(xdg !== undefined && isAbsolute(xdg) ? xdg : join(home, '.config'), 'looper', 'config.json')
  const below = relative(home, path)
  return { name: 'user', path, where: below.startsWith('..') || isAbsolute(below) ? path : join('~', below) }
}

export const projectFile = (root: string): ConfigFile => ({
  name: 'project',
  path: join(root, '.looper', 'config.json'),
  where: join('.looper', 'config.json'),
})

/**
 * Returns false when no file contains any of the words, so that none sets such a key. A file that cannot be read counts
 * as true.
 */
export const mayMention = (words: readonly string[], files: readonly ConfigFile[]): boolean =>
  files.some(({ path }) => {
    try {
      const text = readFileSync(path, 'utf8')
      // A key may contain escaped letters.
      return [...words, '\\u'].some((word) => text.includes(word))
    } catch (error) {
      return errnoOf(error) !== 'ENOENT' && errnoOf(error) !== 'ENOTDIR'
    }
  })

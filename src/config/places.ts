/** Where configuration files lie, and a quick look into them for commands that want one key of all of them. */
import { readFileSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { errnoOf } from '../platform/files.ts'
import type { Environment } from './layer.ts'

export interface ConfigFile {
  name: 'user' | 'project'
  path: string
  /** The path as people say it. */
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
 * False when none of the words is in any of the files: then none of them sets what is called so. One that cannot be
 * read may.
 */
export const mayMention = (words: readonly string[], files: readonly ConfigFile[]): boolean =>
  files.some(({ path }) => {
    try {
      const text = readFileSync(path, 'utf8')
      // A letter of a key may be written as its number.
      return [...words, '\\u'].some((word) => text.includes(word))
    } catch (error) {
      return errnoOf(error) !== 'ENOENT' && errnoOf(error) !== 'ENOTDIR'
    }
  })

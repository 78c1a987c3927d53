/** Converts paths as people and programs write them into rules about existing files. */
import { lstatSync, realpathSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Access, Rule } from './rules.ts'

/** `~` is the home folder; other relative paths start at `base`. */
export function expandPath(path: string, home: string, base: string): string {
  if (path === '~') return home
  return path.startsWith('~/') ? join(home, path.slice(2)) : resolve(base, path)
}

/**
 * Rules use real paths, because a mount on a link would affect its target. A path that does not exist needs no rule.
 */
export function ruleFor(path: string, access: Access): Rule | null {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    if (found === undefined) return null
    const real = realpathSync.native(path)
    return { path: real, access, kind: found.isDirectory() ? 'folder' : isDevice(real) ? 'device' : 'file' }
  } catch {
    return null
  }
}

const isDevice = (path: string): boolean => path.startsWith('/dev/') && lstatSync(path).isCharacterDevice()

export const rulesFor = (paths: readonly string[], access: Access): Rule[] =>
  paths.flatMap((path) => ruleFor(path, access) ?? [])

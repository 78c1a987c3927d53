/**
 * Rules for caches that contain workspaces, as `~/.cache` does. Programs search all parent folders for modules and
 * settings, so a file left there by one process would change later checks. Such a folder is private: its ordinary
 * subfolders are shared, and a new entry in it disappears with the process.
 */
import { readdirSync, readlinkSync, type Dirent } from 'node:fs'
import { join, resolve } from 'node:path'
import { realPath } from '../real-path.ts'
import { ruleFor } from './paths.ts'
import { isInside, type Rule } from './rules.ts'

export function cacheRules(path: string, workspaces: readonly string[]): Rule[] {
  const rule = ruleFor(path, 'write')
  if (rule === null) return []
  const inside = workspaces.map((folder) => realPath(folder)).filter((folder) => isInside(folder, rule.path))
  if (inside.length === 0) return [rule]
  const entries = entriesIn(rule.path)
    .filter(isOrdinary)
    .filter(({ name }) => !inside.includes(join(rule.path, name)))
  return [{ ...rule, access: 'private' }, ...entries.flatMap((entry) => entryRules(rule.path, entry, inside))]
}

function entryRules(folder: string, entry: Dirent, workspaces: readonly string[]): Rule[] {
  const path = join(folder, entry.name)
  if (entry.isDirectory()) return cacheRules(path, workspaces)
  if (!entry.isSymbolicLink() || ruleFor(path, 'read')?.kind !== 'folder') return []
  return [{ path, access: 'link', kind: 'file', target: resolve(folder, readlinkSync(path)) }]
}

/**
 * Programs search for modules and settings in folders such as `node_modules`, `.git` and `.cargo`, so these are not
 * shared.
 */
const isOrdinary = ({ name }: Dirent): boolean => name !== 'node_modules' && !name.startsWith('.')

function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

/** What a confined process may do with files: one rule per path, where the rule of the deepest folder counts. */

/**
 * `hide`: a folder is empty and a file cannot be opened. `private`: an empty folder that the process can write to, gone
 * with it. `link`: a symbolic link in a private folder. Paths without a rule can be read.
 */
export type Access = 'read' | 'write' | 'hide' | 'private' | 'link'

export interface Rule {
  /** Absolute, without symbolic links. */
  path: string
  access: Access
  kind: 'folder' | 'file' | 'device'
  /** Where a link leads. */
  target?: string
}

/**
 * Of two rules for one path the later one counts. Parents come before their children; rules that change nothing are
 * left out.
 */
export function orderRules(rules: readonly Rule[]): Rule[] {
  const kept: Rule[] = []
  for (const rule of sorted(rules)) if (!isImplied(rule.access, around(kept, rule.path))) kept.push(rule)
  return sorted([...kept.flatMap((rule) => pinsFor(rule, kept)), ...kept])
}

function sorted(rules: readonly Rule[]): Rule[] {
  const last = new Map(rules.map((rule) => [rule.path, rule]))
  return [...last.values()].toSorted((a, b) => depth(a.path) - depth(b.path) || (a.path < b.path ? -1 : 1))
}

/**
 * A mount point cannot be renamed or replaced, but a writable folder above it can, and with that what it protects. So
 * every writable folder on the way to something protected gets a rule of its own, and becomes a mount point.
 */
function pinsFor({ path, access }: Rule, rules: readonly Rule[]): Rule[] {
  if (access === 'write' || access === 'private' || access === 'link') return []
  const pins: Rule[] = []
  const hasOne = (folder: string): boolean => rules.some((rule) => rule.path === folder)
  for (let folder = parent(path); folder !== '/' && !hasOne(folder); folder = parent(folder)) {
    if (around(rules, folder) !== 'write') return pins
    pins.push({ path: folder, access: 'write', kind: 'folder' })
  }
  return pins
}

/** What the ordered rules allow at a path. */
export const accessAt = (rules: readonly Rule[], path: string): Access =>
  rules.findLast((rule) => rule.path === path || isInside(path, rule.path))?.access ?? 'read'

export const isInside = (path: string, folder: string): boolean =>
  path !== folder && path.startsWith(folder === '/' ? '/' : `${folder}/`)

const around = (rules: readonly Rule[], path: string): Access =>
  rules.findLast((rule) => isInside(path, rule.path))?.access ?? 'read'

/** What is hidden or private holds nothing that could be hidden. */
const isImplied = (access: Access, outer: Access): boolean =>
  access === outer || (access === 'hide' && outer === 'private')

const parent = (path: string): string => path.slice(0, Math.max(1, path.lastIndexOf('/')))

const depth = (path: string): number => (path === '/' ? 0 : path.split('/').length)

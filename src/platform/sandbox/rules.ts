/** File access rules of a confined process: one rule per path; the rule of the deepest path applies. */

/**
 * `hide`: a folder is empty and a file cannot be opened. `private`: an empty writable folder that disappears with the
 * process. `link`: a symbolic link in a private folder. Paths without a rule are readable.
 */
export type Access = 'read' | 'write' | 'hide' | 'private' | 'link'

export interface Rule {
  /** Absolute, without symbolic links. */
  path: string
  access: Access
  kind: 'folder' | 'file' | 'device'
  /** The target of a link. */
  target?: string
}

/** Of two rules for one path, the later one wins. Parents come before children, and redundant rules are omitted. */
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
 * A mount point cannot be renamed or replaced, but a writable folder above it can, which would bypass the protection.
 * So every writable folder above a protected path gets its own rule and becomes a mount point.
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

/** The access that the ordered rules allow at a path. */
export const accessAt = (rules: readonly Rule[], path: string): Access =>
  rules.findLast((rule) => rule.path === path || isInside(path, rule.path))?.access ?? 'read'

export const isInside = (path: string, folder: string): boolean =>
  path !== folder && path.startsWith(folder === '/' ? '/' : `${folder}/`)

const around = (rules: readonly Rule[], path: string): Access =>
  rules.findLast((rule) => isInside(path, rule.path))?.access ?? 'read'

/** A private folder starts empty, so nothing inside it needs to be hidden. */
const isImplied = (access: Access, outer: Access): boolean =>
  access === outer || (access === 'hide' && outer === 'private')

const parent = (path: string): string => path.slice(0, Math.max(1, path.lastIndexOf('/')))

const depth = (path: string): number => (path === '/' ? 0 : path.split('/').length)

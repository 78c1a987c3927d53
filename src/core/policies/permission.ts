/** Permissions of a task (`allows`): which kinds of weaker tests and checks may land, and in which files. */
import type { TamperFinding, TamperKind } from '../../model/tamper.ts'

export type Permission = 'remove-tests' | 'skip-tests' | 'change-checks' | 'lower-thresholds'

/** The permission that a finding needs. */
export const permissionFor: Readonly<Record<TamperKind, Permission>> = {
  'test-deleted': 'remove-tests',
  'assertions-removed': 'remove-tests',
  'assertion-weakened': 'remove-tests',
  'snapshots-rewritten': 'remove-tests',
  'test-skipped': 'skip-tests',
  'test-focused': 'skip-tests',
  'threshold-lowered': 'lower-thresholds',
  'ci-lowered': 'change-checks',
  'check-changed': 'change-checks',
}

/** `allows` entries are a permission, or a permission with a pattern of paths: `remove-tests:test/old/**`. */
export function isAllowed(allows: readonly string[], { kind, file }: Pick<TamperFinding, 'kind' | 'file'>): boolean {
  return allows.some((entry) => {
    const [name, ...rest] = entry.trim().split(':')
    const glob = rest.join(':').trim()
    return name?.trim() === permissionFor[kind] && (glob === '' || pathPattern(glob).test(file))
  })
}

/** `*` and `?` stay within a folder, `**` does not; a pattern that names a folder means all that is in it. */
function pathPattern(glob: string): RegExp {
  const source = glob
    .replace(/^\.?\//, '')
    .split(/(\*\*\/?|\*|\?)/)
    .map((part) => {
      if (part === '**/') return '(?:.*/)?'
      if (part === '**') return '.*'
      if (part === '*') return '[^/]*'
      return part === '?' ? '[^/]' : part.replace(/[\\^$.|+()[\]{}]/g, '\\$&')
    })
    .join('')
  return new RegExp(`^${source}${glob.endsWith('/') ? '.*' : '(?:/.*)?'}$`)
}

/** The syntax of a permission: its name, and after a colon the paths it applies to (`remove-tests:test/legacy/**`). */

export const permissionNames = ['remove-tests', 'skip-tests', 'change-checks', 'lower-thresholds'] as const
export type PermissionName = (typeof permissionNames)[number]

interface Permission {
  name: PermissionName
  /** Null: all paths. */
  glob: string | null
}

/** The pattern of an entry, for schemas and validation. */
export const permissionPattern = new RegExp(`^(?:${permissionNames.join('|')})(?::.*\\S.*)?$`)

export const permissionNoun =
  'remove-tests, skip-tests, change-checks or lower-thresholds, with ":<glob>" for some paths only'

/** Longer entries are rejected. */
const longestPermission = 1_000

/** Returns null for an invalid permission. Spaces around its parts are ignored. */
export function parsePermission(entry: string): Permission | null {
  if (entry.length > longestPermission) return null
  const [first = '', ...rest] = entry.split(':')
  const name = permissionNames.find((each) => each === first.trim())
  const glob = rest.join(':').trim()
  if (name === undefined || (rest.length > 0 && glob === '')) return null
  return { name, glob: rest.length === 0 ? null : glob }
}

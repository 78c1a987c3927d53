/** How a permission is written: its name, and after a colon the paths it holds for (`remove-tests:test/legacy/**`). */

export const permissionNames = ['remove-tests', 'skip-tests', 'change-checks', 'lower-thresholds'] as const
export type PermissionName = (typeof permissionNames)[number]

interface Permission {
  name: PermissionName
  /** Null: all paths. */
  glob: string | null
}

/** What an entry looks like, for schemas and validation. */
export const permissionPattern = new RegExp(`^(?:${permissionNames.join('|')})(?::.*\\S.*)?$`)

export const permissionNoun =
  'remove-tests, skip-tests, change-checks or lower-thresholds, with ":<glob>" for some paths only'

/** Longer ones are not read. */
const longestPermission = 1_000

/** Null for a text that is no permission. Spaces around its parts mean nothing. */
export function parsePermission(entry: string): Permission | null {
  if (entry.length > longestPermission) return null
  const [first = '', ...rest] = entry.split(':')
  const name = permissionNames.find((each) => each === first.trim())
  const glob = rest.join(':').trim()
  if (name === undefined || (rest.length > 0 && glob === '')) return null
  return { name, glob: rest.length === 0 ? null : glob }
}

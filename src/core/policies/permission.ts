/** Permissions of a task (`allows`): which kinds of weakened tests and checks may land, and in which files. */
import { parsePermission, type PermissionName } from '../../model/permission.ts'
import type { TamperFinding, TamperKind } from '../../model/tamper.ts'
import { matchesPath } from './path-glob.ts'

/** The permission that a finding needs. */
export const permissionFor: Readonly<Record<TamperKind, PermissionName>> = {
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

/** Files with Looper's own settings, which later runs read. */
export const isOwnSetting = (file: string): boolean => /(?:^|\/)\.looper\//.test(file)

/** Whether one of the entries permits the finding. Looper's own settings need an entry that names them. */
export function isAllowed(allows: readonly string[], { kind, file }: Pick<TamperFinding, 'kind' | 'file'>): boolean {
  return allows.some((entry) => {
    const permission = parsePermission(entry)
    if (permission?.name !== permissionFor[kind]) return false
    if (isOwnSetting(file) && !namesOwnSettings(entry)) return false
    return permission.glob === null || matchesPath(permission.glob, file)
  })
}

/** Whether the glob of the entry names Looper's own settings. */
export const namesOwnSettings = (entry: string): boolean =>
  /(?:^|\/)\.looper(?:\/|$)/.test(parsePermission(entry)?.glob ?? '')

/** The narrowest permissions that cover these findings. */
export const permissionsFor = (findings: readonly Pick<TamperFinding, 'kind' | 'file'>[]): string[] => [
  ...new Set(findings.map(({ kind, file }) => `${permissionFor[kind]}${file === '' ? '' : `:${file}`}`)),
]

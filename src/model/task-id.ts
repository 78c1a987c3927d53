/** Makes and validates task ids. They become folders, refs and variables, so most characters are rejected. */
import { isOwnerOfWork } from './work-id.ts'

const safeId = /^[A-Za-z0-9][A-Za-z0-9_-]{0,39}(\.[A-Za-z0-9_-]{1,20}){0,4}$/
/**
 * Names that Looper uses itself beside task ids, and property names of every object. A task named `command` would give
 * what its agents say the origin of a person's words.
 */
const inherited = Object.getOwnPropertyNames(Object.prototype).map((name) => name.toLowerCase())
const reserved = new Set([
  'main',
  'plan',
  'gate',
  'report',
  'limit',
  'backlog',
  'look',
  'loop',
  'baseline',
  'command',
  ...inherited,
])

/** The ids that Looper gives tasks itself: `T001`, `T002` … */
export const numberedId = (n: number, letter = 'T'): string => `${letter}${String(n).padStart(3, '0')}`

/** Why an id is invalid; null when it is valid. */
export function idObjection(id: string): string | null {
  if (reserved.has(id.toLowerCase()) || isOwnerOfWork(id)) return 'Looper uses that name itself'
  if (safeId.test(id)) return null
  return (
    'it must be letters, digits, "_" and "-", at most 40, beginning with a letter or a digit; '
    + 'up to four more parts of at most 20 may follow, each after a dot'
  )
}

export const isSafeId = (id: string): boolean => idObjection(id) === null

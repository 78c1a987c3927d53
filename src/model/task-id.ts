/** Which names tasks can have: they become folders, refs and variables, so nothing else is let through. */
import { isOwnerOfWork } from './work-id.ts'

const safeId = /^[A-Za-z0-9][A-Za-z0-9_-]{0,39}(\.[A-Za-z0-9_-]{1,20}){0,4}$/
/** Names that Looper uses itself beside task ids, and those that every object has. */
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
  ...inherited,
])

/** Why an id cannot be used; null when it can. */
export function idObjection(id: string): string | null {
  if (reserved.has(id.toLowerCase()) || isOwnerOfWork(id)) return 'Looper uses that name itself'
  if (safeId.test(id)) return null
  return (
    'it must be letters, digits, "_" and "-", at most 40, beginning with a letter or a digit; '
    + 'up to four more parts of at most 20 may follow, each after a dot'
  )
}

export const isSafeId = (id: string): boolean => idObjection(id) === null

/** `looper clean --cache`: which stored products of set-up are removed, and which stay because a live run uses them. */
import { bytesText } from '../text/bytes.ts'
import { align } from '../text/columns.ts'
import { plural } from '../text/format.ts'
import type { Paint } from '../text/paint.ts'
import { plain } from '../text/plain-text.ts'

interface CacheRow {
  /** The folder of the entry. */
  entry: string
  bytes: number
  /** ISO time of the last use; null when it is not known. */
  usedAt: string | null
}

/** Also `looper clean --cache --json`. */
export interface CacheCleaning {
  /** Nothing was removed: `removed` lists what would be. */
  dryRun: boolean
  of: 'cache'
  removed: CacheRow[]
  kept: (CacheRow & { why: string })[]
  freedBytes: number
  totalBytes: number
}

export const cacheQuestion = ({ removed, freedBytes }: CacheCleaning): string =>
  `Remove ${subject(removed.length)} (${bytesText(freedBytes)})?`

export function cacheText(cleaning: CacheCleaning, paint: Paint): string {
  const { dryRun, removed, kept } = cleaning
  const verb = dryRun ? 'would be removed' : 'removed'
  const rows = [
    ...removed.map((row) => ({ row, what: paint.warn(verb) })),
    ...kept.map((row) => ({ row, what: paint.faint(`kept: ${row.why}`) })),
  ]
  const lines = align(rows.map(({ row, what }) => [plain(row.entry, 200), bytesText(row.bytes), what]))
  return [...lines, cacheSums(cleaning)].map((line) => `${line}\n`).join('')
}

function cacheSums({ dryRun, removed, freedBytes, totalBytes }: CacheCleaning): string {
  if (removed.length === 0) return `Nothing to remove; ${bytesText(totalBytes)} in use.`
  const what = `${subject(removed.length)}: ${bytesText(freedBytes)} of ${bytesText(totalBytes)}`
  return dryRun ? `Would remove ${what}.` : `Removed ${what}.`
}

const subject = (count: number): string => plural(count, 'stored set-up')

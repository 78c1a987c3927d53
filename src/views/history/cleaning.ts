/** `looper clean`: what is removed, what stays and why, and the size of each. */
import { bytesText } from '../text/bytes.ts'
import { align } from '../text/columns.ts'
import { plural } from '../text/format.ts'
import type { Paint } from '../text/paint.ts'
import { plain } from '../text/plain-text.ts'
import { facts, type ShownStatus } from '../facts/progress.ts'

/** `unreadable`: the journal is damaged. `leftover`: files that an interrupted clean left. */
export type CleanStatus = ShownStatus | 'unreadable' | 'leftover'

interface Row {
  run: string
  status: CleanStatus
  applied: boolean
  discarded: boolean
  bytes: number
}

export interface RemovedRun extends Row {
  /** The run's branch, and why it stays if it does; null when there is none. */
  branch: { name: string; removed: boolean; why: string | null } | null
}

export interface KeptRun extends Row {
  why: string
}

/** Also `looper clean --json`. */
export interface Cleaning {
  /** Nothing was removed: `removed` lists what would be. */
  dryRun: boolean
  /** Whole runs, or only agent output. */
  of: 'runs' | 'turns'
  removed: RemovedRun[]
  kept: KeptRun[]
  failed: { run: string; why: string }[]
  /** The size of the removed items, and of all items. */
  freedBytes: number
  totalBytes: number
}

/** The confirmation prompt. */
export function cleaningQuestion({ of, removed, freedBytes }: Cleaning): string {
  const open = removed.filter(({ branch, applied, discarded }) => branch !== null && !applied && !discarded)
  const isOpen = of === 'runs' && open.length > 0
  const which = isOpen ? `, ${open.length} of them neither applied nor discarded` : ''
  return `Remove ${subject(of, removed.length)} (${bytesText(freedBytes)})${which}?`
}

/** Every run with its outcome, then the totals. */
export function cleaningText(cleaning: Cleaning, paint: Paint): string {
  const { dryRun, of, removed, kept } = cleaning
  const verb = dryRun ? 'would be removed' : 'removed'
  const rows = [
    ...removed.map((row) => ({ row, what: paint.warn(verb) + branchText(row, of) })),
    ...kept.map((row) => ({ row, what: paint.faint(`kept: ${plain(row.why, 100)}`) })),
  ].toSorted((a, b) => Number.parseInt(a.row.run, 10) - Number.parseInt(b.row.run, 10))
  const lines = align(rows.map(({ row, what }) => [plain(row.run, 48), stateText(row), bytesText(row.bytes), what]))
  const table = [...lines, ...(rows.length === 0 ? [] : [''])].map((line) => `${line}\n`)
  return `${table.join('')}${cleaningSums(cleaning, paint)}`
}

/** Only errors and the totals. */
export function cleaningSums(cleaning: Cleaning, paint: Paint): string {
  const trouble = cleaning.failed.map(({ run, why }) => `${paint.bad('✗')} ${plain(run, 48)} stays: ${plain(why, 300)}`)
  return [...trouble, totals(cleaning)].map((line) => `${line}\n`).join('')
}

const stateText = ({ status, applied, discarded }: Row): string =>
  facts(status, applied && 'applied', discarded && 'discarded')

function branchText({ branch }: RemovedRun, of: Cleaning['of']): string {
  if (branch === null || of === 'turns') return ''
  return branch.removed
    ? `, with ${plain(branch.name, 60)}`
    : `, but ${plain(branch.name, 60)} stays: ${plain(branch.why ?? '', 100)}`
}

function totals({ dryRun, of, removed, failed, freedBytes, totalBytes }: Cleaning): string {
  if (removed.length === 0)
    return `Nothing ${failed.length === 0 ? 'to remove' : 'was removed'}; ${bytesText(totalBytes)} in use.`
  const what = `${subject(of, removed.length)}: ${bytesText(freedBytes)} of ${bytesText(totalBytes)}`
  return dryRun ? `Would remove ${what}.` : `Removed ${what}.`
}

const subject = (of: Cleaning['of'], count: number): string =>
  of === 'runs' ? plural(count, 'run') : `the output of agents in ${plural(count, 'run')}`

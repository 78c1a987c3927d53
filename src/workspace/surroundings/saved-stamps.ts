/** Saves stamps for the next process, so that it also finds changes made while no process was comparing. */
import { renameSync, writeFileSync } from 'node:fs'
import { textAt, type Stamps } from './stamps.ts'

export interface Taken {
  around: Stamps
  checkout: Stamps
  /** The folders of the checkout whose entries are compared. */
  folders: ReadonlySet<string>
}

/** Ignores errors: without saved stamps, changes around a crash stay undetected, which is no reason to stop a run. */
export function saveStamps(file: string, root: string, { around, checkout, folders }: Taken): void {
  try {
    const text = JSON.stringify({ root, around: [...around], checkout: [...checkout], folders: [...folders] })
    writeFileSync(`${file}.new`, text, { mode: 0o600 })
    renameSync(`${file}.new`, file)
  } catch {
    // A full disk stops the run when it writes its journal, with a clear error.
  }
}

/** Null when there are no readable stamps, or the checkout was moved since: every path in them is gone then. */
export function loadStamps(file: string, root: string): Taken | null {
  try {
    const saved: unknown = JSON.parse(textAt(file) ?? 'null')
    if (typeof saved !== 'object' || saved === null || !('around' in saved) || !('checkout' in saved)) return null
    if ('root' in saved && saved.root !== root) return null
    const folders = 'folders' in saved && Array.isArray(saved.folders) ? saved.folders.filter(isText) : []
    return { around: stampsOf(saved.around), checkout: stampsOf(saved.checkout), folders: new Set(folders) }
  } catch {
    return null
  }
}

function stampsOf(value: unknown): Stamps {
  const pairs = Array.isArray(value) ? value : []
  return new Map(
    pairs.flatMap((pair: unknown): [string, string][] => {
      const [path, stamp] = Array.isArray(pair) ? (pair as unknown[]) : []
      return isText(path) && isText(stamp) ? [[path, stamp]] : []
    }),
  )
}

const isText = (value: unknown): value is string => typeof value === 'string'

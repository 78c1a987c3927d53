/**
 * Files of a run that only Looper writes. Without a sandbox an agent can change them, so they are restored before
 * Looper uses them.
 */
import { lstatSync } from 'node:fs'
import { ifExists, readNow } from '../../platform/files.ts'
import { replaceFile } from '../clones/work-tree.ts'

export interface KeptFiles {
  /** Writes the file unless it has this text. */
  keep(path: string, text: string): void
  /** Writes again every file that another process changed, replaced or removed. */
  restore(): void
}

interface Kept {
  text: string
  stamp: string
}

export function createKeptFiles(): KeptFiles {
  const files = new Map<string, Kept>()
  const keep = (path: string, text: string): void => {
    if (readNow(path)?.toString('utf8') !== text) replaceFile(path, text)
    files.set(path, { text, stamp: stampOf(path) })
  }
  return {
    keep,
    restore() {
      for (const [path, { text, stamp }] of files) if (stampOf(path) !== stamp) keep(path, text)
    },
  }
}

/** No process can set the change time of a file. */
function stampOf(path: string): string {
  const found = ifExists(() => lstatSync(path), path)
  return found === null ? '' : `${found.mode} ${found.ino} ${found.size} ${found.ctimeMs}`
}

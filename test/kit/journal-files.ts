/** Journals in a folder of their own, on disks that can refuse. */
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { openFileJournal } from '../../src/journal/file-journal.ts'
import type { OpenFile } from '../../src/journal/file-journal.ts'
import type { AppendFile } from '../../src/journal/group-writer.ts'
import type { Journal } from '../../src/model/ports.ts'

export let dir: string
export let file: string
export const journals: Journal[] = []

export async function openHere(openFile?: OpenFile, folder = dir): Promise<{ journal: Journal; tornBytes: number }> {
  const opened = await openFileJournal(folder, openFile ? { openFile } : {})
  journals.push(opened.journal)
  return opened
}

/** The real file with some methods replaced. */
export const layered =
  (change: (file: AppendFile) => Partial<AppendFile>): OpenFile =>
  async (path, flags, mode) => {
    const handle = await open(path, flags, mode)
    const real: AppendFile = {
      write: (data, offset) => handle.write(data, offset),
      datasync: () => handle.datasync(),
      truncate: (size) => handle.truncate(size),
      stat: () => handle.stat(),
      close: () => handle.close(),
    }
    return { ...real, ...change(real) }
  }

export const failure = (code: string): Error => Object.assign(new Error(code), { code })

/** Call it once in each test file. */
export function useJournalFolder(): void {
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'looper-journal-'))
    file = join(dir, 'events.jsonl')
  })
  afterEach(async () => {
    for (const journal of journals.splice(0)) await journal.close()
    await rm(dir, { recursive: true, force: true })
  })
}

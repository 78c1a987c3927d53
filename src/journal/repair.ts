/**
 * Repairs a damaged journal: keeps what comes before the damage and moves the rest to another file. Deletes nothing.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { JournalRepair } from '../model/ports.ts'
import { errnoOf, ioError, syncFolder } from '../platform/files.ts'
import { journalFile, scanJournal } from './read-events.ts'
import { snapshotFile, snapshotPosition } from './snapshot.ts'

/** Null when there is nothing to repair; opening the journal removes a torn end. The caller has the run's lock. */
export async function repairJournal(runDir: string): Promise<JournalRepair | null> {
  const path = journalFile(runDir)
  const { damage, size } = await scanJournal(runDir)
  if (damage === null) return null
  try {
    const file = await setAside(runDir, damage.offset)
    await cut(path, damage.offset)
    await syncFolder(runDir)
    if ((await snapshotPosition(runDir)) === null) await rm(snapshotFile(runDir), { force: true })
    const { lines, lastSeq } = await describe(file)
    return {
      keptSeq: damage.seq - 1,
      file,
      firstSeq: damage.seq,
      lastSeq,
      lines,
      bytes: size - damage.offset,
      why: damage.why,
    }
  } catch (error) {
    throw ioError(error, path)
  }
}

/** The copy is durable before anything is cut, so a crash in between leaves an extra copy and loses nothing. */
async function setAside(runDir: string, from: number): Promise<string> {
  const { path, handle } = await createNext(runDir, 1)
  await pipeline(
    createReadStream(journalFile(runDir), { start: from }),
    createWriteStream(path, { fd: handle, flush: true }),
  )
  await syncFolder(runDir)
  return path
}

async function createNext(runDir: string, n: number): Promise<{ path: string; handle: FileHandle }> {
  const path = join(runDir, `events.damaged-${n}.jsonl`)
  try {
    return { path, handle: await open(path, 'wx', 0o600) }
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error
    return createNext(runDir, n + 1)
  }
}

async function cut(path: string, size: number): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.truncate(size)
    await file.sync()
  } finally {
    await file.close()
  }
}

const beginningChars = 64

/** Keeps only the beginning of each line, because a damaged line may have no end. */
async function describe(path: string): Promise<{ lines: number; lastSeq: number | null }> {
  let lines = 0
  let lastSeq: number | null = null
  let rest = ''
  const note = (line: string): void => {
    lines += 1
    const found = /^\{"seq":(\d{1,15}),"at":/.exec(line)
    if (found !== null) lastSeq = Math.max(lastSeq ?? 0, Number(found[1]))
  }
  for await (const chunk of createReadStream(path, { encoding: 'latin1' })) {
    const parts = `${rest}${chunk}`.split('\n')
    rest = (parts.pop() ?? '').slice(0, beginningChars)
    parts.forEach(note)
  }
  if (rest !== '') note(rest)
  return { lines, lastSeq }
}

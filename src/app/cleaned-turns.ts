/**
 * `looper clean --turns` removes the folders that back the recorded answers of a run. This file records the names of
 * these folders and a digest of the journal at that time. A missing folder alone proves nothing: an agent can remove
 * it.
 */
import { createHash } from 'node:crypto'
import { createReadStream, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { TurnClaim } from '../core/turn-claims.ts'
import { folderName } from '../dispatch/turn-folder.ts'
import { journalFile, scanJournal } from '../journal/read-events.ts'
import { ifExists, writeAtomic } from '../platform/files.ts'
import { readPlainFile } from '../platform/plain-file.ts'

interface Cleaned {
  /** The last event at that time, and the offset at which its line ends. */
  seq: number
  offset: number
  /** Digest of the journal up to `offset`. */
  digest: string
  /** Names of the removed folders. */
  turns: string[]
}

const cleanedFile = (dir: string): string => join(dir, 'cleaned.json')
const mostBytes = 64 * 1024 * 1024

/** Must be called before the folders are removed, by the process that holds the run's lock. */
export async function recordCleaned(dir: string): Promise<void> {
  const folder = join(dir, 'turns')
  const found = ifExists(() => readdirSync(folder, { withFileTypes: true }), folder) ?? []
  const turns = found.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  const earlier = (await readCleaned(dir))?.turns ?? []
  const {
    position: { seq, offset },
  } = await scanJournal(dir)
  const cleaned: Cleaned = {
    seq,
    offset,
    digest: await digestOf(dir, offset),
    turns: [...new Set([...earlier, ...turns])],
  }
  await writeAtomic(cleanedFile(dir), `${JSON.stringify(cleaned)}\n`, { mode: 0o600 })
}

/** Whether `looper clean` removed the folder of the turn after the answer was recorded. */
export async function findCleaned(dir: string): Promise<(claim: TurnClaim) => boolean> {
  const { seq: last = 0, turns = [] } = (await readCleaned(dir)) ?? {}
  const names = new Set(turns)
  return ({ work: { id }, starts, seq }) => seq <= last && names.has(folderName(id, starts))
}

/** Null when there is no record, and when the journal up to its offset has changed. */
async function readCleaned(dir: string): Promise<Cleaned | null> {
  const cleaned = parse(readPlainFile(cleanedFile(dir), mostBytes) ?? '')
  return cleaned !== null && (await digestOf(dir, cleaned.offset)) === cleaned.digest ? cleaned : null
}

function parse(text: string): Cleaned | null {
  try {
    const { seq, offset, digest, turns } = JSON.parse(text) as Partial<Record<keyof Cleaned, unknown>>
    const isWhole = isCount(seq) && isCount(offset) && typeof digest === 'string' && Array.isArray(turns)
    return isWhole ? { seq, offset, digest, turns: turns.filter((name) => typeof name === 'string') } : null
  } catch {
    return null
  }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

/** Digest of the first bytes of the journal. */
async function digestOf(dir: string, bytes: number): Promise<string> {
  const hash = createHash('sha256')
  if (bytes > 0) await pipeline(createReadStream(journalFile(dir), { end: bytes - 1 }), hash)
  return hash.digest('hex')
}

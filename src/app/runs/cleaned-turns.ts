/**
 * `looper clean --turns` removes the folders that back the recorded answers of a run. This file records the names of
 * these folders and a digest of the journal at that time. A missing folder alone proves nothing: an agent can remove
 * it.
 */
import type { TurnClaim } from '../../core/claims/turn-claims.ts'
import { folderName } from '../../dispatch/turn-folder.ts'
import type { StoredRun } from '../../model/ports.ts'

interface Cleaned {
  /** The last event at that time, and the offset at which its line ends. */
  seq: number
  offset: number
  /** Digest of the journal up to `offset`. */
  digest: string
  /** Names of the removed folders. */
  turns: string[]
}

const cleanedFile = 'cleaned.json'
const mostBytes = 64 * 1024 * 1024

/** Must be called before the folders are removed, by the process that holds the run's lock. */
export async function recordCleaned(run: StoredRun): Promise<void> {
  const { journal, artifacts } = run
  const turns = await artifacts.folders('turns')
  const earlier = (await readCleaned(run))?.turns ?? []
  const { position } = await journal.inspect()
  const cleaned: Cleaned = {
    seq: position.seq,
    offset: position.offset,
    digest: await journal.digest(position),
    turns: [...new Set([...earlier, ...turns])],
  }
  await artifacts.write(cleanedFile, `${JSON.stringify(cleaned)}\n`)
}

/** Whether `looper clean` removed the folder of the turn after the answer was recorded. */
export async function findCleaned(run: StoredRun): Promise<(claim: TurnClaim) => boolean> {
  const { seq: last = 0, turns = [] } = (await readCleaned(run)) ?? {}
  const names = new Set(turns)
  return ({ work: { id }, starts, seq }) => seq <= last && names.has(folderName(id, starts))
}

/** Null when there is no record, and when the journal up to its offset has changed. */
async function readCleaned({ journal, artifacts }: StoredRun): Promise<Cleaned | null> {
  const cleaned = parse((await artifacts.read(cleanedFile, mostBytes)) ?? '')
  return cleaned !== null && (await journal.digest(cleaned)) === cleaned.digest ? cleaned : null
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

/**
 * `looper clean --turns` removes the folders that back the recorded answers of a run. This file keeps which folders
 * there were, and a digest of the journal at that time. A missing folder alone proves nothing: an agent can remove it.
 */
import { createHash } from 'node:crypto'
import { createReadStream, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { TurnClaim } from '../core/turn-claims.ts'
import { folderName } from '../dispatch/turn-folder.ts'
import { journalFile, scanJournal } from '../journal/read-events.ts'
import { ifExists, writeAtomic } from '../platform/files.ts'
import { readPlainFile } from '../platform/plain-file.ts'

const cleanedSchema = z.object({
  seq: z.int().min(0), offset: z.int().min(0), digest: z.string(), turns: z.array(z.string()),
})
type Cleaned = z.infer<typeof cleanedSchema>

const cleanedFile = (dir: string): string => join(dir, 'cleaned.json')
const mostBytes = 64 * 1024 * 1024

/** To be called before the folders are removed, by the process that holds the run's lock. */
export async function recordCleaned(dir: string): Promise<void> {
  const folder = join(dir, 'turns')
  const found = ifExists(() => readdirSync(folder, { withFileTypes: true }), folder) ?? []
  const turns = found.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  const earlier = (await readCleaned(dir))?.turns ?? []
  const { position: { seq, offset } } = await scanJournal(dir)
  const cleaned: Cleaned = {
    seq, offset, digest: await digestOf(dir, offset), turns: [...new Set([...earlier, ...turns])],
  }
  await writeAtomic(cleanedFile(dir), `${JSON.stringify(cleaned)}\n`, { mode: 0o600 })
}

/** Whether the folder of the turn was removed by `looper clean`, after the answer was recorded. */
export async function findCleaned(dir: string): Promise<(claim: TurnClaim) => boolean> {
  const { seq: last = 0, turns = [] } = await readCleaned(dir) ?? {}
  const names = new Set(turns)
  return ({ work: { id }, starts, seq }) => seq <= last && names.has(folderName(id, starts))
}

/** Null when there is none, and when the journal before it is no longer the same. */
async function readCleaned(dir: string): Promise<Cleaned | null> {
  const cleaned = parse(readPlainFile(cleanedFile(dir), mostBytes) ?? '')
  return cleaned !== null && await digestOf(dir, cleaned.offset) === cleaned.digest ? cleaned : null
}

function parse(text: string): Cleaned | null {
  try {
    return cleanedSchema.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** Of the first bytes of the journal. */
async function digestOf(dir: string, bytes: number): Promise<string> {
  const hash = createHash('sha256')
  if (bytes > 0) for await (const chunk of createReadStream(journalFile(dir), { end: bytes - 1 })) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

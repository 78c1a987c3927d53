/** The folder of one start of one turn: what the agent read and wrote, and which process it is. */
import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readPlainFile, writePlainFile } from '../platform/plain-file.ts'
import type { ProcessIdentity } from '../platform/process-identity.ts'
import { excesses, type Excess } from './excess.ts'

export interface TurnFolder {
  path: string
  prompt: string
  stream: string
  stderr: string
  result: string
  process: string
  /** Why Looper ended the turn while no engine ran. */
  end: string
  /** What the agent asked of Looper through its tools, a line each. */
  outbox: string
}

/** What a later engine needs to know of the process. */
export interface ProcessRecord extends ProcessIdentity {
  /** ISO time. */
  startedAt: string
  /** The same on the clock that cannot be set; absent where it is not known. */
  steadyMs?: number
  /** Where the agent works; absent where that is not known. */
  cwd?: string
}

const maxNameChars = 120

/** A name that is safe whatever the id is, and the plain id with dots where it is harmless. */
export function folderName(id: string, starts: number): string {
  const dotted = id.replaceAll('/', '.')
  const safe = dotted
    .replace(/[^A-Za-z0-9._-]/g, '_')
    .replace(/^\.+|^$/, '_')
    .slice(0, maxNameChars)
  const unique = safe === dotted ? safe : `${safe}~${createHash('sha256').update(id).digest('hex').slice(0, 8)}`
  return starts > 1 ? `${unique}@${starts}` : unique
}

export function turnFolder(runDir: string, id: string, starts: number): TurnFolder {
  const path = join(runDir, 'turns', folderName(id, starts))
  return {
    path,
    prompt: join(path, 'prompt.md'),
    stream: join(path, 'stream'),
    stderr: join(path, 'stderr'),
    result: join(path, 'result.json'),
    process: join(path, 'process.json'),
    outbox: join(path, 'outbox.jsonl'),
    end: join(path, 'ended.json'),
  }
}

/**
 * What was told in the turn whose answer is to be repaired: it goes on in the outbox of the repair. Beside the folders,
 * which come and go.
 */
export const carriedOutbox = (runDir: string, slot: string): string =>
  join(runDir, 'turns', `${folderName(slot, 1)}.outbox.jsonl`)

/** Fresh: an answer of something that ran here before must not be taken for this turn's. */
export function createFolder({ path }: TurnFolder): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch {
    rmSync(path, { recursive: true, force: true })
    mkdirSync(path, { recursive: true, mode: 0o700 })
  }
}

/**
 * Into the empty file that is there when the agent is confined: a new file in its place would end the mount that
 * keeps the agent from writing it.
 */
export function writeProcess({ process }: TurnFolder, record: ProcessRecord): void {
  const text = JSON.stringify(record)
  const found = lstatSync(process, { throwIfNoEntry: false })
  if (found?.isFile() && found.size === 0 && found.nlink === 1) writeFileSync(process, text, { flag: 'r+' })
  else writePlainFile(process, text)
}

const maxRecordBytes = 16 * 1024

/** Null when it was never written, or not to its end. */
export function readProcess(folder: TurnFolder): ProcessRecord | null {
  try {
    const text = readPlainFile(folder.process, maxRecordBytes) ?? ''
    const { pid, startTime, bootId, startedAt, steadyMs, cwd } = JSON.parse(text) as Partial<ProcessRecord>
    const whole =
      Number.isInteger(pid)
      && typeof startTime === 'string'
      && typeof bootId === 'string'
      && typeof startedAt === 'string'
    if (!whole) return null
    const steady = Number.isFinite(steadyMs) ? { steadyMs: Number(steadyMs) } : {}
    return { pid: Number(pid), startTime, bootId, startedAt, ...steady, ...(typeof cwd === 'string' ? { cwd } : {}) }
  } catch {
    return null
  }
}

/** Read by the engine that resumes: it classifies the turn by it. */
export const writeEnd = (folder: TurnFolder, why: Excess): void =>
  writePlainFile(folder.end, JSON.stringify({ why, at: new Date().toISOString() }))

/** Null when the turn exceeded no bound while no engine ran. */
export function readEnd(folder: TurnFolder): Excess | null {
  try {
    const { why } = JSON.parse(readPlainFile(folder.end, maxRecordBytes) ?? '') as { why?: unknown }
    return excesses.find((known) => known === why) ?? null
  } catch {
    return null
  }
}

/** The newest time at which the agent wrote anything, in milliseconds; null when it never did. */
export function lastWrite({ stream, stderr, result }: TurnFolder): number | null {
  const times = [stream, stderr, result].flatMap((path) => lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? [])
  return times.length === 0 ? null : Math.max(...times)
}

/** When its turn started, as far as files can tell; now, when it has not yet. */
export const promptTime = ({ prompt }: TurnFolder): number =>
  lstatSync(prompt, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()

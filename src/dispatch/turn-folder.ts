/** The folder of one start of one turn: input and output of the agent, and the identity of its process. */
import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { removeNow } from '../platform/mounts.ts'
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
  /** The reason why Looper ended the turn while no engine ran. */
  end: string
  /** What the agent reported through its tools, one line each. */
  outbox: string
}

/** What a later engine needs to know about the process. */
export interface ProcessRecord extends ProcessIdentity {
  /** ISO time. */
  startedAt: string
  /** The same time on the steady clock; absent when it is not known. */
  steadyMs?: number
  /** Working directory of the agent; absent when it is not known. */
  cwd?: string
}

const maxNameChars = 120

/** A safe name for any id: a harmless id stays readable, with dots for slashes. */
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
 * The outbox of a turn whose answer is to be repaired, continued by the repair. It is outside the turn folders, because
 * those are recreated.
 */
export const carriedOutbox = (runDir: string, slot: string): string =>
  join(runDir, 'turns', `${folderName(slot, 1)}.outbox.jsonl`)

/** Recreates the folder, so that the answer of an earlier process cannot be taken for this turn's. */
export function createFolder({ path }: TurnFolder): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch {
    removeNow(path)
    mkdirSync(path, { recursive: true, mode: 0o700 })
  }
}

/**
 * Writes into the existing empty file when the agent is sandboxed: a new file would replace the mount that protects it
 * from the agent.
 */
export function writeProcess({ process }: TurnFolder, record: ProcessRecord): void {
  const text = JSON.stringify(record)
  const found = lstatSync(process, { throwIfNoEntry: false })
  if (found?.isFile() && found.size === 0 && found.nlink === 1) writeFileSync(process, text, { flag: 'r+' })
  else writePlainFile(process, text)
}

const maxRecordBytes = 16 * 1024

/** Null when the record is missing or incomplete. */
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

/** The engine that resumes reads this to classify the turn. */
export const writeEnd = (folder: TurnFolder, why: Excess): void =>
  writePlainFile(folder.end, JSON.stringify({ why, at: new Date().toISOString() }))

/** Null when the turn exceeded no bound while no engine ran. */
export function readEnd(folder: TurnFolder): Excess | null {
  try {
    const { why } = JSON.parse(readPlainFile(folder.end, maxRecordBytes) ?? '') as { why?: unknown }
    // The keeper of an earlier Looper may have written the old name.
    const name = why === 'circling' ? 'looping' : why
    return excesses.find((known) => known === name) ?? null
  } catch {
    return null
  }
}

/** The newest time at which the agent wrote a file, in milliseconds; null when it never did. */
export function lastWrite({ stream, stderr, result }: TurnFolder): number | null {
  const times = [stream, stderr, result].flatMap((path) => lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? [])
  return times.length === 0 ? null : Math.max(...times)
}

/** Start time of the turn according to its prompt file; the current time when it has not started. */
export const promptTime = ({ prompt }: TurnFolder): number =>
  lstatSync(prompt, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()

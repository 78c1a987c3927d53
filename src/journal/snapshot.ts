/**
 * `state.json`: the state after some event, so that a long run opens without replaying its whole journal. It is only a
 * cache: it is used when it is complete and the journal before it is unchanged, byte for byte.
 */
import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { LooperError } from '../model/error.ts'
import { eventTypes } from '../core/evolve.ts'
import { eventVersion } from '../model/event.ts'
import type { JournalPosition, Snapshots } from '../model/ports.ts'
import type { RunState } from '../model/state.ts'
import { ioError, readIfExists, writeAtomic } from '../platform/files.ts'
import { checksum } from './line.ts'
import { journalFile } from './read-events.ts'

/** Increase this when the shape of the state changes: older snapshots are then ignored. */
const snapshotVersion = 8

const knownEvents = `${eventVersion}-${checksum(eventTypes.toSorted().join(' '))}`

interface Header extends JournalPosition {
  version: number
  /** The event types it was folded from. A Looper that knows other types must read the journal itself. */
  events: string
  /** Checksum of the journal before `offset`, so that a snapshot cannot hide damage there. */
  covered: string
}

/** A running checksum of the journal before `offset`. */
interface Sum {
  offset: number
  crc: number
}

export const snapshotFile = (runDir: string): string => join(runDir, 'state.json')

export function fileSnapshots(runDir: string): Snapshots {
  let sum: Sum = { offset: 0, crc: 0 }
  return {
    load: async () => (await readSnapshot(runDir))?.state ?? null,
    async save(state) {
      sum = await saveSnapshot(runDir, state, sum)
    },
  }
}

/**
 * The state, and the position in the journal from which to continue; null when there is no valid snapshot. Never
 * throws.
 */
export async function readSnapshot(runDir: string): Promise<{ state: RunState; position: JournalPosition } | null> {
  const found = await findSnapshot(runDir)
  if (found === null) return null
  const { state } = JSON.parse(found.text()) as { state: RunState }
  return state.seq === found.position.seq ? { state, position: found.position } : null
}

/** The position alone, without the cost of parsing the state. */
export async function snapshotPosition(runDir: string): Promise<JournalPosition | null> {
  return (await findSnapshot(runDir))?.position ?? null
}

async function saveSnapshot(runDir: string, state: RunState, known: Sum): Promise<Sum> {
  const offset = await locate(journalFile(runDir), state.seq)
  if (offset === null)
    throw new LooperError('BUG_INVARIANT', `A snapshot of event ${state.seq}, which is not in the journal`)
  const sum = await addUp(runDir, offset, known.offset <= offset ? known : { offset: 0, crc: 0 })
  const header: Header = { version: snapshotVersion, events: knownEvents, seq: state.seq, offset, covered: hex(sum) }
  const head = JSON.stringify(header).slice(0, -1)
  const body = Buffer.from(`"state":${JSON.stringify(state)}}\n`)
  await writeAtomic(snapshotFile(runDir), Buffer.concat([Buffer.from(headLine(head, body)), body]), { mode: 0o600 })
  return sum
}

/** The header is on its own line, so that it can be read without the state; both lines together are one JSON object. */
const headLine = (head: string, body: Uint8Array): string => `${head},"sum":"${checksum(body, crc32(head))}",\n`

async function findSnapshot(runDir: string): Promise<{ position: JournalPosition; text: () => string } | null> {
  try {
    const bytes = await readIfExists(snapshotFile(runDir))
    if (bytes === null) return null
    const split = bytes.indexOf('\n') + 1
    const body = bytes.subarray(split)
    const line = bytes.toString('utf8', 0, split)
    const head = line.slice(0, -headLine('', body).length)
    if (line !== headLine(head, body)) return null
    const header = JSON.parse(`${head}}`) as Header
    if (header.version !== snapshotVersion || header.events !== knownEvents) return null
    const sum = await addUp(runDir, header.offset, { offset: 0, crc: 0 })
    if (hex(sum) !== header.covered) return null
    return { position: { seq: header.seq, offset: header.offset }, text: () => bytes.toString('utf8') }
  } catch {
    return null
  }
}

const hex = ({ crc }: Sum): string => crc.toString(16).padStart(8, '0')

const chunkBytes = 1024 * 1024

/** Continues the checksum of the journal up to `until`. Far cheaper than parsing its events. */
async function addUp(runDir: string, until: number, { offset, crc }: Sum): Promise<Sum> {
  const file = await open(journalFile(runDir), 'r')
  try {
    const size = Math.min(chunkBytes, Math.max(0, until - offset))
    const buffers = [Buffer.allocUnsafeSlow(size), Buffer.allocUnsafeSlow(size)] as const
    const read = (turn: number): ReturnType<typeof file.read<Buffer>> =>
      file.read(buffers[turn % 2 === 0 ? 0 : 1], 0, Math.min(size, until - offset), offset)
    // The next chunk is read while the checksum of this one is computed.
    let reading = read(0)
    for (let turn = 1; offset < until; turn++) {
      const { bytesRead, buffer } = await reading
      if (bytesRead === 0) break
      offset += bytesRead
      reading = read(turn)
      crc = crc32(buffer.subarray(0, bytesRead), crc)
    }
    await reading
    return { offset, crc }
  } finally {
    await file.close()
  }
}

const firstLookBytes = 64 * 1024

/** Finds the end of an event's line, searching backwards, because a snapshot is of one of the newest events. */
async function locate(path: string, seq: number): Promise<number | null> {
  const file = await open(path, 'r').catch((error: unknown) => {
    throw ioError(error, path)
  })
  try {
    const { size } = await file.stat()
    for (let length = firstLookBytes; ; length *= 8) {
      const from = Math.max(0, size - length)
      const bytes = await readRange(file, from, size)
      const begin = findLine(bytes, `{"seq":${seq},"at":`, from === 0)
      if (begin !== -1) {
        const end = bytes.indexOf('\n', begin)
        return end === -1 ? null : from + end + 1
      }
      if (from === 0) return null
    }
  } finally {
    await file.close()
  }
}

function findLine(bytes: Buffer, beginning: string, atStart: boolean): number {
  if (atStart && bytes.indexOf(beginning) === 0) return 0
  const found = bytes.lastIndexOf(`\n${beginning}`)
  return found === -1 ? -1 : found + 1
}

async function readRange(file: FileHandle, from: number, to: number): Promise<Buffer> {
  const bytes = Buffer.alloc(to - from)
  const { bytesRead } = await file.read(bytes, 0, bytes.length, from)
  return bytes.subarray(0, bytesRead)
}

/**
 * The channel between a process that requests a run and the process that it starts for it: one line each way over a
 * socket in a folder that only this user can open. Nothing is written to disk, either process may have any parent, and
 * each notices when the other ends.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { errorTable, LooperError, type ErrorCode, messageOf } from '../../model/error.ts'
import { ioError } from '../../platform/files.ts'
import type { RunRequest } from '../../api/runs.ts'

export interface Message {
  request: RunRequest
  cwd: string
  /** The file for its output; null in a terminal. */
  log: string | null
  /** The environment to use; null when the process inherits it from its parent. */
  env: Record<string, string> | null
}

export type Answer =
  | { run: string; pid: number }
  | { refused: { code: string; message: string; hint: string; details: Record<string, unknown> } }

export interface Channel {
  path: string
  /** Whether the other process has received the message. */
  met(): boolean
  /** Null when the other process ended without an answer. */
  answer: Promise<Answer | null>
  close(): Promise<void>
}

/** The path of a socket has a short maximum length, which a path below TMPDIR may exceed. */
const folderPrefix = '/tmp/looper-'

export async function openChannel(message: Message): Promise<Channel> {
  const folder = await mkdtemp(folderPrefix).catch((error: unknown) => {
    throw ioError(error, folderPrefix)
  })
  const path = join(folder, 's')
  const server = createServer()
  let met = false
  const answer = new Promise<Answer | null>((resolve) => {
    server.once('connection', (socket) => {
      met = true
      server.close()
      void rm(folder, { recursive: true, force: true })
      socket.write(`${JSON.stringify(message)}\n`)
      void lineOf(socket).then((line) => resolve(line === null ? null : (JSON.parse(line) as Answer)))
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(ioError(error, path)))
    server.listen(path, resolve)
  })
  return {
    path,
    answer,
    met: () => met,
    async close() {
      server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The side of the started process. Throws when no process listens at the path. */
export async function joinChannel(path: string): Promise<{ message: Message; socket: Socket }> {
  const socket = connect(path)
  const line = await lineOf(socket)
  if (line === null) throw new LooperError('USAGE_ARGUMENTS', 'there is no job for this process')
  return { message: JSON.parse(line) as Message, socket }
}

const longestLine = 4 * 1024 * 1024

/** Null when the other process ends first. */
function lineOf(socket: Socket): Promise<string | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    socket.on('error', () => {})
    socket.once('close', () => resolve(null))
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      size += chunk.length
      if (size > longestLine) socket.destroy()
      else if (chunk.at(-1) === 0x0a) resolve(Buffer.concat(chunks).toString('utf8'))
    })
  })
}

export function answerOf(error: unknown): Answer {
  const { code, message, hint, details } =
    error instanceof LooperError ? error : new LooperError('BUG_INVARIANT', `internal error: ${messageOf(error)}`)
  return { refused: { code, message, hint, details } }
}

export function errorOf({
  refused: { code, message, hint, details },
}: Extract<Answer, { refused: unknown }>): LooperError {
  return new LooperError(Object.hasOwn(errorTable, code) ? (code as ErrorCode) : 'BUG_INVARIANT', message, {
    hint,
    details,
  })
}

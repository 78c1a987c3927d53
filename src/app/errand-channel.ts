/**
 * How a process that starts another one to perform a run speaks with it: one line each way over a socket in a folder
 * that only this user can open. Nothing of it lies on disk, it works whoever is the other's parent, and the end of
 * either is noticed.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { errorTable, LooperError, type ErrorCode } from '../model/error.ts'
import { ioError } from '../platform/files.ts'
import type { Undertaking } from '../surfaces/cli/app.ts'

export interface Message {
  what: Undertaking
  cwd: string
  /** The file it prints to; null in a terminal. */
  log: string | null
  /** The environment it is to have, when it does not have it from its parent. */
  env: Record<string, string> | null
}

export type Answer =
  | { run: string; pid: number }
  | { refused: { code: string; message: string; hint: string; details: Record<string, unknown> } }

export interface Channel {
  path: string
  /** Whether anybody has come for the message. */
  met(): boolean
  /** Null when the other one went away without a word. */
  answer: Promise<Answer | null>
  close(): Promise<void>
}

/** Paths of sockets are short, which those below TMPDIR need not be. */
const place = '/tmp/looper-'

export async function openChannel(message: Message): Promise<Channel> {
  const folder = await mkdtemp(place).catch((error: unknown) => {
    throw ioError(error, place)
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

/** The other side. Throws when nobody listens there. */
export async function joinChannel(path: string): Promise<{ message: Message; socket: Socket }> {
  const socket = connect(path)
  const line = await lineOf(socket)
  if (line === null) throw new LooperError('USAGE_ARGUMENTS', 'nobody has an errand for this process')
  return { message: JSON.parse(line) as Message, socket }
}

const longestLine = 4 * 1024 * 1024

/** Null when the other one goes away first. */
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
    error instanceof LooperError
      ? error
      : new LooperError(
          'BUG_INVARIANT',
          `something went wrong inside Looper: ${error instanceof Error ? error.message : String(error)}`,
        )
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

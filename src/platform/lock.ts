/** The lock of a run, owned by the kernel. Its socket is also how others nudge the holder and listen to its live feed. */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { createServer } from 'node:net'
import type { Server, Socket } from 'node:net'
import { placeOf } from './lock-place.ts'
import type { Place } from './lock-place.ts'

export interface Lock {
  /** What followers must know. The socket's name is public on a machine, so the key goes into a file that only the user can read. */
  readonly key: string
  onNudge(callback: () => void): void
  /** Sends a line to every follower. Never waits: a follower too slow to keep up is dropped. */
  publish(line: string): void
  release(): Promise<void>
}

/** One name per run folder, however it is spelt. The folder must exist. */
export const lockName = (runDir: string): string => `run:${realpathSync.native(runDir)}`

const maxConnections = 64
const maxRequestBytes = 256
const requestTimeoutMs = 5_000
const closeGraceMs = 2_000
const maxBacklogBytes = 4 * 1024 * 1024

/** Null when a live process holds it. */
export async function acquireLock(name: string, place: Place = placeOf(name)): Promise<Lock | null> {
  const key = randomBytes(16).toString('hex')
  const sockets = new Set<Socket>()
  const followers = new Set<Socket>()
  const nudged = new Set<() => void>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      followers.delete(socket)
    })
    readRequest(socket, (request) => {
      if (request === 'nudge') {
        for (const callback of nudged) callback()
        socket.end('ok\n')
      } else if (sameText(request, `follow ${key}`)) {
        followers.add(socket)
        socket.write('ok\n')
      } else socket.destroy()
    })
  })
  server.maxConnections = maxConnections

  const close = (): Promise<void> => closeServer(server, sockets)
  if (!(await place.occupy(server))) {
    await close()
    return null
  }
  return {
    key,
    onNudge: (callback) => void nudged.add(callback),
    publish: (line) => { for (const follower of followers) send(follower, line) },
    async release() {
      await place.vacate()
      await close()
    },
  }
}

/** One short line, once; whoever says more, or nothing, is cut off. */
function readRequest(socket: Socket, onRequest: (request: string) => void): void {
  let text = ''
  let answered = false
  socket.setEncoding('latin1')
  socket.setTimeout(requestTimeoutMs, () => socket.destroy())
  socket.on('data', (chunk: string) => {
    text += chunk
    if (answered || text.length > maxRequestBytes) return void socket.destroy()
    if (!text.endsWith('\n')) return
    answered = true
    socket.setTimeout(0)
    onRequest(text.slice(0, -1))
  })
}

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

function send(follower: Socket, line: string): void {
  if (follower.writableLength > maxBacklogBytes) follower.destroy()
  else follower.write(`${line.replace(/[\r\n]+/g, ' ')}\n`)
}

/** What was published gets a moment to arrive; a follower that does not read cannot hold the holder up. */
function closeServer(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  for (const socket of sockets) socket.destroySoon()
  setTimeout(() => { for (const socket of sockets) socket.destroy() }, closeGraceMs).unref()
  return new Promise((resolve) => {
    if (server.listening) server.close(() => resolve())
    else resolve()
  })
}

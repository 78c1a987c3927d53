/** The lock of a run, owned by the kernel. Other processes nudge the holder through its socket. */
import { createServer } from 'node:net'
import type { Server, Socket } from 'node:net'
import { lockAddressOf } from './lock-address.ts'
import type { LockAddress } from './lock-address.ts'
import { realPath } from './real-path.ts'

export interface Lock {
  onNudge(callback: () => void): void
  /** Sets the one line about the holder that is sent to processes that ask. */
  describeHolder(line: string): void
  release(): Promise<void>
}

/** One name per run folder, whichever path leads to it. The folder must exist. */
export const lockName = (runDir: string): string => `run:${realPath(runDir)}`

const maxConnections = 64
const maxRequestBytes = 256
const requestTimeoutMs = 5_000
const closeGraceMs = 2_000

/** Null when a live process holds the lock. */
export async function acquireLock(name: string, address: LockAddress = lockAddressOf(name)): Promise<Lock | null> {
  const sockets = new Set<Socket>()
  const nudged = new Set<() => void>()
  let holder = ''
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    readRequest(socket, (request) => {
      if (request === 'who') return void socket.end(`${holder}\n`)
      if (request !== 'nudge') return void socket.destroy()
      for (const callback of nudged) callback()
      socket.end('ok\n')
    })
  })
  server.maxConnections = maxConnections

  const close = (): Promise<void> => closeServer(server, sockets)
  if (!(await address.occupy(server))) {
    await close()
    return null
  }
  return {
    onNudge: (callback) => void nudged.add(callback),
    describeHolder: (line) => void (holder = line),
    async release() {
      await address.vacate()
      await close()
    },
  }
}

/** Accepts one short line. A client that sends more, or nothing in time, is disconnected. */
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

/** Gives answers a moment to arrive. A client that does not read cannot delay the holder. */
function closeServer(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  for (const socket of sockets) socket.destroySoon()
  setTimeout(() => {
    for (const socket of sockets) socket.destroy()
  }, closeGraceMs).unref()
  return new Promise((resolve) => {
    if (server.listening) server.close(() => resolve())
    else resolve()
  })
}

/** The other end of a lock's socket: is somebody there, wake them, listen to them. */
import type { Socket } from 'node:net'
import { placeOf } from './lock-place.ts'
import type { Place } from './lock-place.ts'

export async function isLocked(name: string, place: Place = placeOf(name)): Promise<boolean> {
  const socket = await place.reach()
  socket?.destroy()
  return socket !== null
}

const answerTimeoutMs = 2_000

/** Asks the holder to look at its inbox; true when it answered. Nothing depends on it: the inbox is the message. */
export async function nudge(name: string, place: Place = placeOf(name)): Promise<boolean> {
  const socket = await place.reach()
  if (socket === null) return false
  return new Promise((resolve) => {
    const settle = (delivered: boolean): void => {
      socket.destroy()
      resolve(delivered)
    }
    socket.setTimeout(answerTimeoutMs, () => settle(false))
    socket.once('data', () => settle(true))
    socket.once('close', () => settle(false))
    socket.write('nudge\n')
  })
}

export interface Following {
  stop(): void
  /** Resolves when stopped, when the holder is gone or drops us, or at once when there is none. */
  ended: Promise<void>
}

/** Calls back with every line the holder publishes from now on. The key is in the holder's file. */
export function follow(name: string, key: string, onLine: (line: string) => void, place: Place = placeOf(name)): Following {
  const stopping = new AbortController()
  return { stop: () => stopping.abort(), ended: listenTo(place, key, onLine, stopping.signal) }
}

async function listenTo(place: Place, key: string, onLine: (line: string) => void, signal: AbortSignal): Promise<void> {
  const socket = await place.reach()
  if (socket === null) return
  const gone = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  const stop = (): void => void socket.destroy()
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  let admitted = false
  eachLine(socket, (line) => {
    if (admitted) onLine(line)
    admitted = true
  })
  socket.write(`follow ${key}\n`)
  await gone
  signal.removeEventListener('abort', stop)
}

const maxLineChars = 8 * 1024 * 1024

function eachLine(socket: Socket, onLine: (line: string) => void): void {
  let rest = ''
  socket.setEncoding('utf8')
  socket.on('data', (chunk: string) => {
    const pieces = chunk.split('\n')
    const last = pieces.pop() ?? ''
    for (const piece of pieces) {
      if (socket.destroyed) return
      onLine(rest + piece)
      rest = ''
    }
    rest += last
    if (rest.length > maxLineChars) socket.destroy()
  })
}

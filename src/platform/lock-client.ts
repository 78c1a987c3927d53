/** The other end of a lock's socket: is somebody there, wake them. */
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

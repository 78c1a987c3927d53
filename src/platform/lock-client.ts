/** The other end of a lock's socket: is somebody there, who is it, wake them. */
import { placeOf } from './lock-place.ts'
import type { Place } from './lock-place.ts'

export async function isLocked(name: string, place: Place = placeOf(name)): Promise<boolean> {
  const socket = await place.reach()
  socket?.destroy()
  return socket !== null
}

const answerTimeoutMs = 2_000

/** Asks the holder to look at its inbox; true when it answered. Nothing depends on it: the inbox is the message. */
export const nudge = async (name: string, place: Place = placeOf(name)): Promise<boolean> =>
  (await ask(place, 'nudge')) !== ''

/** What the holder tells of itself; empty when there is none, or it has not said yet, or is too busy to answer. */
export const askHolder = async (name: string, place: Place = placeOf(name)): Promise<string> =>
  (await ask(place, 'who')).trim()

const longestAnswer = 10_000

async function ask(place: Place, request: string): Promise<string> {
  const socket = await place.reach()
  if (socket === null) return ''
  return new Promise((resolve) => {
    let answer = ''
    const settle = (): void => {
      socket.destroy()
      resolve(answer)
    }
    socket.setEncoding('utf8')
    socket.setTimeout(answerTimeoutMs, settle)
    socket.on('data', (chunk: string) => {
      answer += chunk
      if (answer.includes('\n') || answer.length > longestAnswer) settle()
    })
    socket.once('close', settle)
    socket.write(`${request}\n`)
  })
}

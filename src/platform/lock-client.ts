/** The client side of a lock's socket: checks whether a process holds the lock, asks which one, and wakes it. */
import { lockAddressOf } from './lock-address.ts'
import type { LockAddress } from './lock-address.ts'

export async function isLocked(name: string, address: LockAddress = lockAddressOf(name)): Promise<boolean> {
  const socket = await address.reach()
  socket?.destroy()
  return socket !== null
}

const answerTimeoutMs = 2_000

/**
 * Asks the holder to read its inbox and returns true when it answered. Delivery does not depend on it: the message is
 * in the inbox.
 */
export const nudge = async (name: string, address: LockAddress = lockAddressOf(name)): Promise<boolean> =>
  (await ask(address, 'nudge')) !== ''

/**
 * The line that the holder published about itself; empty when there is no holder, it has published nothing yet, or it
 * does not answer.
 */
export const askHolder = async (name: string, address: LockAddress = lockAddressOf(name)): Promise<string> =>
  (await ask(address, 'who')).trim()

const longestAnswer = 10_000

async function ask(address: LockAddress, request: string): Promise<string> {
  const socket = await address.reach()
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

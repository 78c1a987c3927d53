/** Collects an agent's messages: the end of all text, and the last message that contains or attempts an answer. */
import { readAnswer } from './protocol/read-answer.ts'
import { createTail } from './tail.ts'

export interface Speech {
  /** Adds a part to the current message. */
  add(piece: string): void
  /** Ends the current message and returns it; null when there is none. */
  finish(): string | null
  record(text: string): void
  tail(): string
  /** The text to search for the answer. */
  words(): string
}

/** Same limit as for an answer in a file. */
const maxChars = 4 * 1024 * 1024

export function createSpeech(): Speech {
  const said = createTail()
  let pieces: string[] = []
  let size = 0
  let answer = ''

  const add = (piece: string): void => {
    pieces.push(piece)
    size += piece.length
    if (size <= 2 * maxChars) return
    pieces = [pieces.join('').slice(-maxChars)]
    size = maxChars
  }
  const finish = (): string | null => {
    const message = pieces.join('').slice(-maxChars)
    pieces = []
    size = 0
    if (message.trim() === '') return null
    said.add(message)
    const { value, flaw } = readAnswer(message)
    if (value !== null || flaw !== null) answer = message
    return message
  }
  return { add, finish, record: said.add, tail: said.read, words: () => answer }
}

/** Makes an agent's words fit to be kept: no secrets, no control characters, no endless text. */
import { plainBlock } from '../views/plain-text.ts'

export const maxTextChars = 2_000

/** Keeps the end of what is too long, because that is where failures speak. */
export function boundedText(text: string, mask: (text: string) => string = (same) => same, max = maxTextChars): string {
  const plain = plainBlock(mask(text)).trim()
  return plain.length <= max ? plain : `…${plain.slice(-(max - 1)).replace(/^[\uDC00-\uDFFF]/, '')}`
}

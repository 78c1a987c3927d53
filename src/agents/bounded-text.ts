/** Makes an agent's text safe to store: no secrets, no control characters, bounded length. */
import { plainBlock } from '../views/text/plain-text.ts'

export const maxTextChars = 2_000

/** Keeps the end of a text that is too long, because failures are reported at the end. */
export function boundedText(text: string, mask: (text: string) => string = (same) => same, max = maxTextChars): string {
  const plain = plainBlock(mask(text)).trim()
  return plain.length <= max ? plain : `…${plain.slice(-(max - 1)).replace(/^[\uDC00-\uDFFF]/, '')}`
}

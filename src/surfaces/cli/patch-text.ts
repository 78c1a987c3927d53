/** Formats a patch for a terminal: without control characters, in color when wanted. */
import type { Paint } from '../../views/text/paint.ts'
import { plainBlock } from '../../views/text/plain-text.ts'

export const patchText = (patch: string, paint: Paint): string =>
  plainBlock(patch)
    .split('\n')
    .map((line) => {
      if (/^(?:diff |index |--- |\+\+\+ )/.test(line)) return paint.strong(line)
      if (line.startsWith('@@')) return paint.busy(line)
      if (line.startsWith('+')) return paint.good(line)
      return line.startsWith('-') ? paint.bad(line) : line
    })
    .join('\n')

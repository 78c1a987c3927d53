/** Splits a stream of bytes into lines of limited length, so that no output can exhaust memory. */

export interface LineSplitter {
  push(chunk: Buffer): void
  /** Flushes the last line, which may lack its newline. */
  end(): void
}

const newline = 0x0a

/** Omits blank lines. Calls `onSkipped` for each line that is longer than `maxBytes`. */
export function createLineSplitter(
  maxBytes: number,
  onLine: (line: string) => void,
  onSkipped: (bytes: number) => void,
): LineSplitter {
  let pieces: Buffer[] = []
  let size = 0

  /** Decodes whole lines, so that a character split between two chunks stays intact. Invalid bytes become U+FFFD. */
  const finish = (): void => {
    if (size > maxBytes) onSkipped(size)
    else if (size > 0) onLine((pieces.length === 1 ? pieces[0] : Buffer.concat(pieces))?.toString('utf8') ?? '')
    pieces = []
    size = 0
  }
  /** Copies what it keeps: the caller may use its chunk again. */
  const take = (piece: Buffer): void => {
    size += piece.length
    if (size > maxBytes) pieces = []
    else pieces.push(Buffer.from(piece))
  }
  const push = (chunk: Buffer): void => {
    for (let at = 0; at < chunk.length;) {
      if (size === 0 && chunk[at] === newline) {
        at++
        continue
      }
      const end = chunk.indexOf(newline, at)
      if (end < 0) return take(chunk.subarray(at))
      if (size === 0 && end - at <= maxBytes) onLine(chunk.toString('utf8', at, end))
      else {
        take(chunk.subarray(at, end))
        finish()
      }
      at = end + 1
    }
  }
  return { push, end: finish }
}

/** Keeps the end of an output stream in bounded memory, for any stream length and chunk size. */

export interface OutputEnd {
  push: (chunk: Buffer) => void
  /** Starts with a notice when earlier output was dropped. */
  text: () => string
}

export function outputEnd(keepBytes: number): OutputEnd {
  let buffer = Buffer.alloc(Math.min(64 * 1024, 2 * keepBytes))
  let length = 0
  let total = 0

  const makeRoom = (needed: number): void => {
    if (length + needed <= buffer.length) return
    const start = Math.max(0, length - keepBytes)
    const larger = Math.min(2 * keepBytes, Math.max(2 * buffer.length, length + needed))
    const target = larger > buffer.length ? Buffer.alloc(larger) : buffer
    buffer.copy(target, 0, start, length)
    length -= start
    buffer = target
  }

  return {
    push(chunk) {
      const end = chunk.subarray(-keepBytes)
      makeRoom(end.length)
      length += end.copy(buffer, length)
      total += chunk.length
    },
    text() {
      const end = buffer.subarray(Math.max(0, length - keepBytes), length)
      const missing = total - end.length
      return (missing === 0 ? '' : `[${missing} bytes before this were left out]\n`) + end.toString('utf8')
    },
  }
}

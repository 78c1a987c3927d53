/** A stream that may go away: what reads it can end before the run does, and the run must not care. */
import type { Sink } from './io.ts'

export interface Output {
  write(text: string | Uint8Array): void
  /** Calls back once when nobody reads any more; at once when that is so already. */
  onGone(callback: () => void): void
}

export function createOutput(sink: Sink): Output {
  let gone = false
  const waiting: (() => void)[] = []
  sink.on('error', () => {
    gone = true
    for (const callback of waiting.splice(0)) callback()
  })
  return {
    write(text) {
      if (!gone && text.length > 0) sink.write(text)
    },
    onGone(callback) {
      if (gone) callback()
      else waiting.push(callback)
    },
  }
}

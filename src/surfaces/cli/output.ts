/** An output stream whose reader may end before the run does: the run must continue. */
import type { Sink } from './io.ts'

export interface Output {
  write(text: string | Uint8Array): void
  /** Calls back once when the reader is gone; immediately when it is gone already. */
  onGone(callback: () => void): void
}

/** The stream is opened on the first write. */
export function createOutput(open: () => Sink): Output {
  let sink: Sink | null = null
  let gone = false
  const waiting: (() => void)[] = []
  const opened = (): Sink => {
    const stream = open()
    stream.on('error', () => {
      gone = true
      for (const callback of waiting.splice(0)) callback()
    })
    return stream
  }
  return {
    write(text) {
      if (gone || text.length === 0) return
      sink ??= opened()
      sink.write(text)
    },
    onGone(callback) {
      if (gone) callback()
      else waiting.push(callback)
    },
  }
}

/** A status line at the bottom of a terminal, with ordinary lines printed above it. */
import type { Io } from './io.ts'
import type { Output } from './output.ts'

export interface LiveLine {
  print(text: string): void
  /** Removes the line permanently. */
  end(): void
}

const redrawMs = 250
const clear = '\r\u001B[2K'

/** `text` is called at most four times a second and must return at most `width` columns. */
export function createLiveLine(
  out: Output,
  io: Pick<Io, 'columns' | 'every'>,
  text: (width: number) => string,
): LiveLine {
  let shown = ''
  const erase = (): void => {
    if (shown !== '') out.write(clear)
    shown = ''
  }
  const stop = io.every(redrawMs, () => {
    // Some terminals wrap a line that fills the last column.
    const next = text(io.columns - 1)
    if (next === shown) return
    out.write(`${clear}${next}`)
    shown = next
  })
  return {
    print(line) {
      erase()
      out.write(`${line}\n`)
    },
    end() {
      stop()
      erase()
    },
  }
}

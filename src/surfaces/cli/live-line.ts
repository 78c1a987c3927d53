/** Status lines at the bottom of a terminal, with ordinary lines printed above them. */
import type { Io } from './io.ts'
import type { Output } from './output.ts'

export interface LiveLine {
  print(text: string): void
  /** Removes the lines permanently. */
  end(): void
}

const redrawMs = 250
const clear = '\r\u001B[2K'
const clearAbove = '\u001B[1A\u001B[2K'

/**
 * `text` is called at most four times a second. It must return lines of at most `width` columns: one that wraps cannot
 * be erased.
 */
export function createLiveLine(
  out: Output,
  io: Pick<Io, 'columns' | 'every'>,
  text: (width: number) => string,
): LiveLine {
  let shown = ''
  const erasing = (): string => clear + clearAbove.repeat(shown.split('\n').length - 1)
  const erase = (): void => {
    if (shown !== '') out.write(erasing())
    shown = ''
  }
  const stop = io.every(redrawMs, () => {
    // Some terminals wrap a line that fills the last column.
    const next = text(io.columns - 1)
    if (next === shown) return
    out.write(`${erasing()}${next}`)
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

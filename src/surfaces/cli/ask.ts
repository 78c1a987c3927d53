/** Asks the user a question on the terminal and reads one line. */
import { createInterface } from 'node:readline/promises'
import { wrapLines } from '../../views/text/rows.ts'
import { widthOf, type CliContext } from './context.ts'

/** Whether there is a person who can answer. */
export const canAsk = ({ io }: Pick<CliContext, 'io'>): boolean => io.isTTY && io.stdin.isTTY === true

/** Programs that run in CI have a terminal at times, but no person answers there. */
export const isCi = ({ io }: Pick<CliContext, 'io'>): boolean => !['', 'false', '0'].includes(io.env.CI ?? '')

/**
 * Discards what was typed while the run worked: it is no answer to a question that was not shown yet. Raw mode also
 * hands over a line without its end.
 */
export async function discardTypedAhead({ io: { stdin, every } }: Pick<CliContext, 'io'>): Promise<void> {
  if (stdin.setRawMode === undefined) return
  const discard = (): void => {}
  stdin.setRawMode(true)
  stdin.on('data', discard)
  await new Promise<void>((resolve) => {
    const stop = every(50, () => {
      stop()
      resolve()
    })
  })
  stdin.off('data', discard)
  stdin.pause()
  stdin.setRawMode(false)
}

export type Ask = (question: string) => Promise<string>

/** Asks several questions of one reader, which keeps lines typed ahead. `atEnd`: the answer when the input ends. */
export async function prompting<T>(
  { io, err }: Pick<CliContext, 'io' | 'err'>,
  atEnd: string,
  act: (ask: Ask) => Promise<T>,
): Promise<T> {
  const lines = createInterface({ input: io.stdin })
  const typed = lines[Symbol.asyncIterator]()
  try {
    return await act(async (question) => {
      err.write(wrapLines(question, widthOf(io)))
      const { value, done } = await typed.next()
      return done === true ? atEnd : value.trim()
    })
  } finally {
    lines.close()
  }
}

/** The line without spaces around it; empty when the input ends. */
export const ask = (context: Pick<CliContext, 'io' | 'err'>, question: string): Promise<string> =>
  prompting(context, '', (one) => one(question))

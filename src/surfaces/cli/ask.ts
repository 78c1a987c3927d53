/** Asks the user a question on the terminal and reads one line. */
import { createInterface } from 'node:readline/promises'
import { wrapLines } from '../../views/text/rows.ts'
import { widthOf, type CliContext } from './context.ts'

/** Whether there is a person who can answer. */
export const canAsk = ({ io }: Pick<CliContext, 'io'>): boolean => io.isTTY && io.stdin.isTTY === true

/** Programs that run in CI have a terminal at times, but no person answers there. */
export const isCi = ({ io }: Pick<CliContext, 'io'>): boolean => !['', 'false', '0'].includes(io.env.CI ?? '')

/** The line without spaces around it; empty when the input ends. */
export async function ask({ io, err }: Pick<CliContext, 'io' | 'err'>, question: string): Promise<string> {
  err.write(wrapLines(question, widthOf(io)))
  const lines = createInterface({ input: io.stdin })
  try {
    for await (const line of lines) return line.trim()
    return ''
  } finally {
    lines.close()
  }
}

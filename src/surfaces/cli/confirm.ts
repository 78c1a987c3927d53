/** Asks for confirmation before something is removed or stopped. */
import { createInterface } from 'node:readline/promises'
import { LooperError } from '../../api/error.ts'
import type { Context } from './context.ts'

export const canAsk = ({ io }: Context): boolean => io.isTTY && io.stdin.isTTY === true

/** Throws USAGE_ARGUMENTS without a terminal. Any answer but yes means no. */
export async function confirm(context: Context, question: string): Promise<boolean> {
  const { io, err } = context
  if (!canAsk(context)) {
    throw new LooperError('USAGE_ARGUMENTS', 'this needs confirmation, and there is no terminal', {
      hint: 'Add --yes to confirm.',
    })
  }
  err.write(`${question} [y/N] `)
  const lines = createInterface({ input: io.stdin })
  try {
    for await (const line of lines) return /^y(?:es)?$/i.test(line.trim())
    return false
  } finally {
    lines.close()
  }
}

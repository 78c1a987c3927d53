/** Asks for confirmation before something is removed or stopped. */
import { LooperError } from '../../api/error.ts'
import { ask, canAsk } from './ask.ts'
import type { CliContext } from './context.ts'

/**
 * Throws USAGE_ARGUMENTS without a terminal. Any answer but yes means no. `lost`: what would be lost, as a sentence,
 * where nothing else has printed it.
 */
export async function confirm(context: CliContext, question: string, lost = ''): Promise<boolean> {
  if (!canAsk(context)) {
    const why = 'this needs confirmation, and there is no terminal'
    throw new LooperError('USAGE_ARGUMENTS', lost === '' ? why : `${why}. ${lost}`, { hint: 'Add --yes to confirm.' })
  }
  return /^y(?:es)?$/i.test(await ask(context, `${question} [y/N] `))
}

/** Asks on a terminal whether settings that changed while a run was under way are to be used; else this is refused. */
import { LooperError } from '../../api/error.ts'
import { plain } from '../../views/text/plain-text.ts'
import type { CliContext } from './context.ts'

/** Calls `act` with `given`, and once more with true when the person accepts the changed settings. */
export async function accepting<T>(
  context: CliContext,
  given: boolean,
  act: (settings: boolean) => Promise<T>,
): Promise<T> {
  try {
    return await act(given)
  } catch (error) {
    if (!(error instanceof LooperError) || error.code !== 'CONFIG_CHANGED') throw error
    const [{ canAsk }, { confirm }] = await Promise.all([import('./ask.ts'), import('./confirm.ts')])
    const question = `${plain(error.message, 600)} Use the settings as they are now?`
    if (!canAsk(context) || !(await confirm(context, question))) throw error
    return act(true)
  }
}

/** `looper abort`: ends a run for good; its branch is kept until it is discarded. */
import { plain } from '../../../views/text/plain-text.ts'
import { canAsk } from '../ask.ts'
import { orderArgument, type CommandSpec } from '../command.ts'
import { confirm } from '../confirm.ts'
import type { CliContext } from '../context.ts'
import { order } from '../orders.ts'

export const command: CommandSpec<{ yes?: boolean }> = {
  arguments: [orderArgument],
  options: [['-y, --yes', 'do not ask']],
  examples: [
    ['looper abort', 'the run that is under way; asks first on a terminal'],
    ['looper abort 3 --yes && looper discard 3', 'and discards its changes'],
  ],
  async run(context, [run = null], { yes }) {
    if (yes !== true && canAsk(context) && !(await mayAbort(context, run))) {
      context.err.write('Nothing was aborted.\n')
      return 1
    }
    return order(context, run, { do: 'abort' }, { live: 'asked to abort', resting: 'aborted' })
  },
}

/** A run that has ended is not asked about: the order is refused. */
async function mayAbort(context: CliContext, run: string | null): Promise<boolean> {
  const { state } = await context.app.readRun(run, 'live')
  if (state.status === 'completed' || state.status === 'aborted') return true
  const what = 'Its agents are ended, and it cannot be resumed. What has landed stays on its branch.'
  return confirm(context, `Abort ${plain(state.run)}? ${what}`)
}

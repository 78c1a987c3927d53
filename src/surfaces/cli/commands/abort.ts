/** `looper abort`: ends a run for good; its branch is kept until it is discarded. */
import { orderArgument, type CommandSpec } from '../command.ts'
import { order } from '../orders.ts'

export const command: CommandSpec = {
  arguments: [orderArgument],
  examples: [
    ['looper abort', 'the run that is under way'],
    ['looper abort 3 && looper discard 3', 'and discards its changes'],
  ],
  run: (context, [run = null]) => order(context, run, { do: 'abort' }, { live: 'asked to abort', resting: 'aborted' }),
}

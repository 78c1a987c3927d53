/** `looper pause`: lets live turns finish, then pauses the run. */
import { orderArgument, type CommandSpec } from '../command.ts'
import { order } from '../orders.ts'

export const command: CommandSpec = {
  arguments: [orderArgument],
  examples: [
    ['looper pause', 'the run that is under way'],
    ['looper resume', 'continues later'],
  ],
  run: (context, [run = null]) =>
    order(context, run, { do: 'pause' }, { live: 'pauses when the current turns end', resting: 'not running' }),
}

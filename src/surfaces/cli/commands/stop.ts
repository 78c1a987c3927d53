/** `looper stop`: agents are stopped gracefully, and the run pauses. */
import { orderArgument, type CommandSpec } from '../command.ts'
import { order } from '../orders.ts'

export const command: CommandSpec = {
  configure: (command) => void command.argument(...orderArgument),
  examples: [['looper stop', 'the run that is under way'], ['looper resume', 'goes on later; nothing is lost']],
  run: (context, [run = null]) =>
    order(context, run, { do: 'stop' }, { live: 'asked to stop; `looper resume` goes on later', resting: 'not running' }),
}

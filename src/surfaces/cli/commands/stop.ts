/** `looper stop`: agents are stopped gracefully, and the run pauses. */
import { runArgument, type CommandSpec } from '../command.ts'
import { order } from '../orders.ts'

export const command: CommandSpec = {
  configure: (command) => void command.argument(...runArgument),
  examples: [['looper stop', 'the newest run'], ['looper resume', 'goes on later; nothing is lost']],
  run: (context, [run = null]) =>
    order(context, run, { do: 'stop' }, { live: 'asked to stop; `looper resume` goes on later', resting: 'not running' }),
}

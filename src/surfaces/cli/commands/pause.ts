/** `looper pause`: turns under way may finish, then the run pauses. */
import { runArgument, type CommandSpec } from '../command.ts'
import { order } from '../orders.ts'

export const command: CommandSpec = {
  configure: (command) => void command.argument(...runArgument),
  examples: [['looper pause', 'the newest run'], ['looper resume', 'goes on later']],
  run: (context, [run = null]) =>
    order(context, run, { do: 'pause' }, { live: 'pauses when the turns under way are over', resting: 'not running' }),
}

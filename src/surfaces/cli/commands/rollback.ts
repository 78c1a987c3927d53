/** `looper rollback`: takes the branch of a run back to what was good. */
import { runArgument, type CommandSpec } from '../command.ts'
import { order } from '../orders.ts'

export const command: CommandSpec<{ to?: string }> = {
  configure: (command) => void command.argument(...runArgument)
    .option('--to <checkpoint>', 'a checkpoint like C2, a commit that the run landed, or base'),
  examples: [
    ['looper rollback', 'to the last checkpoint before what landed last'],
    ['looper rollback 3 --to C1', 'run 3 to its checkpoint C1'],
    ['looper rollback --to base', 'to what the run began with'],
    ['looper status', 'shows the checkpoints'],
    ['looper resume', 'does again what the rollback undid'],
  ],
  run(context, [run = null], { to = null }) {
    const texts = {
      live: 'rolling back; what it undoes will be done again', resting: 'rolled back; `looper resume` does again what it undid',
    }
    return order(context, run, { do: 'rollback', to }, texts)
  },
}

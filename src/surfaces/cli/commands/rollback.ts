/** `looper rollback`: moves the branch of a run back to a good commit. */
import { runArgument, type CommandSpec } from '../command.ts'
import { order, type OrderTexts } from '../orders.ts'

export const command: CommandSpec<{ to?: string }> = {
  arguments: [runArgument],
  options: [['--to <checkpoint>', 'a checkpoint like C2, a commit that the run landed, or base']],
  examples: [
    ['looper rollback', 'to the last checkpoint before the last landing'],
    ['looper rollback 3 --to C1', 'run 3 to its checkpoint C1'],
    ['looper rollback --to base', 'to the start of the run'],
    ['looper status', 'shows the checkpoints'],
    ['looper resume', 'runs the undone tasks again'],
  ],
  run(context, [run = null], { to = null }) {
    const texts: OrderTexts = {
      live: ({ target }) => `rolling back to ${target}; the undone tasks will run again`,
      resting: ({ target }) => `rolled back to ${target}; \`looper resume\` runs the undone tasks again`,
    }
    return order(context, run, { do: 'rollback', to }, texts)
  },
}

/** `looper rollback`: moves the branch of a run back to a good commit. */
import { undoneText } from '../../../views/facts/landed.ts'
import { plain } from '../../../views/text/plain-text.ts'
import { canAsk } from '../ask.ts'
import { runArgument, type CommandSpec } from '../command.ts'
import { confirm } from '../confirm.ts'
import { order, type OrderTexts } from '../orders.ts'

export const command: CommandSpec<{ to?: string; yes?: boolean }> = {
  arguments: [runArgument],
  options: [
    ['--to <checkpoint>', 'a checkpoint like C2, a commit that the run landed, or base'],
    ['-y, --yes', 'do not ask'],
  ],
  examples: [
    ['looper rollback', 'to the last checkpoint before the last landing'],
    ['looper rollback 3 --to C1', 'run 3 to its checkpoint C1'],
    ['looper rollback --to base', 'to the start of the run'],
    ['looper status', 'shows the checkpoints'],
    ['looper resume', 'runs the undone tasks again'],
  ],
  async run(context, [run = null], { to = null, yes }) {
    const { app, err } = context
    if (yes !== true && (to === null || canAsk(context))) {
      const { state, live } = await app.readRun(run, 'live')
      const is = `${plain(state.run)} is ${live ? 'under way' : state.status}.`
      const lost = to === null ? `${is} This undoes ${undoneText(state)}.` : is
      const question = to === null ? 'Undo its last landings?' : `Undo what it landed after ${plain(to)}?`
      const asks = state.landings.length > 0 && (to === null || state.status === 'completed')
      if (asks && !(await confirm(context, `${lost}\n${question}`, lost))) {
        err.write('Nothing was rolled back.\n')
        return 1
      }
    }
    const texts: OrderTexts = {
      live: ({ target }) => `rolling back to ${target}; the undone tasks will run again`,
      resting: ({ target, kept }) =>
        `rolled back to ${target}; \`looper resume\` runs the undone tasks again`
        + (kept === undefined ? '' : `. The undone commits are kept in ${kept}`),
    }
    return order(context, run, { do: 'rollback', to }, texts)
  },
}

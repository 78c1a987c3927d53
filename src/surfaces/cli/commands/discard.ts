/** `looper discard`: discards the changes of a run after a confirmation. */
import { plain } from '../../../views/plain-text.ts'
import { runArgument, type CommandSpec } from '../command.ts'
import { confirm } from '../confirm.ts'

export const command: CommandSpec<{ yes?: boolean }> = {
  arguments: [runArgument],
  options: [['-y, --yes', 'do not ask']],
  examples: [
    ['looper discard', 'asks first'],
    ['looper discard 3 --yes', ''],
  ],
  async run(context, [run = null], { yes }) {
    const { app, out, err } = context
    const { state } = await app.readRun(run)
    if (
      yes !== true
      && !(await confirm(context, `Discard ${plain(state.run)} and its branch ${plain(state.branch)}?`))
    ) {
      err.write('Nothing was discarded.\n')
      return 1
    }
    // A run that never started has no name in its state.
    out.write(`${plain(await app.discard(state.run === '' ? run : state.run))}\n`)
    return 0
  },
}

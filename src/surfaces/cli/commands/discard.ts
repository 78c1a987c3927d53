/** `looper discard`: discards the changes of a run after a confirmation. */
import type { RunState } from '../../../api/nouns.ts'
import { landedText } from '../../../views/facts/landed.ts'
import { plain } from '../../../views/text/plain-text.ts'
import { runArgument, type CommandSpec } from '../command.ts'
import { confirm } from '../confirm.ts'
import { say } from '../say.ts'

export const command: CommandSpec<{ yes?: boolean }> = {
  arguments: [runArgument],
  options: [['-y, --yes', 'do not ask']],
  examples: [
    ['looper discard', 'asks first'],
    ['looper discard 3 --yes', ''],
  ],
  async run(context, [run = null], { yes }) {
    const { app, err } = context
    const { state } = await app.readRun(run)
    const what = `${plain(state.run)} and its branch ${plain(state.branch)}${changesOf(state)}`
    if (yes !== true && !(await confirm(context, `Discard ${what}?`, `This discards ${what}.`))) {
      err.write('Nothing was discarded.\n')
      return 1
    }
    // A run that never started has no name in its state.
    say(context, await app.discard(state.run === '' ? run : state.run))
    return 0
  },
}

/** Applied changes stay in the user's branch. */
function changesOf(state: RunState): string {
  const landed = landedText(state)
  if (landed === '') return ''
  return state.applied === null ? ` with the changes of ${landed}` : ' (its applied changes stay)'
}

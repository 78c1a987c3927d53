/** `looper apply`: merges the changes of a run into the user's branch. */
import { plain } from '../../../views/plain-text.ts'
import { accepting } from '../accept-settings.ts'
import { runArgument, type CommandSpec } from '../command.ts'

export const command: CommandSpec<{ check?: boolean; settings?: boolean }> = {
  arguments: [runArgument],
  options: [
    ['--check', 'run every check on the result first, in a verification workspace; apply it only when all are green'],
    ['--settings', 'with --check: also use settings that changed while the run was under way'],
  ],
  examples: [
    ['looper diff && looper apply', 'reviews, then applies'],
    ['looper apply --check', 'also when your branch has moved on'],
    ['looper apply 3', ''],
  ],
  async run(context, [run = null], { check = false, settings: given = false }) {
    const { app, out } = context
    const text = await accepting(context, given, (settings) =>
      app.apply(run, { check, ...(settings ? { settings } : {}) }),
    )
    out.write(`${plain(text)}\n`)
    return 0
  },
}

/** `looper apply`: merges the changes of a run into the user's branch. */
import { plain } from '../../../views/plain-text.ts'
import { runArgument, type CommandSpec } from '../command.ts'

export const command: CommandSpec<{ check?: boolean }> = {
  arguments: [runArgument],
  options: [
    ['--check', 'run every check on the result first, in a verification workspace; apply it only when all are green'],
  ],
  examples: [
    ['looper diff && looper apply', 'reviews, then applies'],
    ['looper apply --check', 'also when your branch has moved on'],
    ['looper apply 3', ''],
  ],
  async run({ app, out }, [run = null], { check = false }) {
    out.write(`${plain(await app.apply(run, { check }))}\n`)
    return 0
  },
}

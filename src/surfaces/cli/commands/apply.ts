/** `looper apply`: brings the changes of a run into the user's branch. */
import { plain } from '../../../views/plain-text.ts'
import { runArgument, type CommandSpec } from '../command.ts'

export const command: CommandSpec = {
  configure: (command) => void command.argument(...runArgument),
  examples: [['looper diff && looper apply', 'looks first'], ['looper apply 3', '']],
  async run({ app, out }, [run = null]) {
    out.write(`${plain(await app.apply(run))}\n`)
    return 0
  },
}

/** `looper report`: prints the goal, the result and the evidence of a run. */
import { plainBlock } from '../../../views/text/plain-text.ts'
import { runArgument, type CommandSpec } from '../command.ts'

export const command: CommandSpec = {
  arguments: [runArgument],
  examples: [
    ['looper report', 'the newest run'],
    ['looper report 3 > report.md', ''],
  ],
  async run({ app, out }, [run = null]) {
    const text = plainBlock(await app.report(run))
    out.write(text.endsWith('\n') ? text : `${text}\n`)
    return 0
  },
}

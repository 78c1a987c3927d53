/** `looper demo`: a whole run in a temporary repository; only the answers of the agents are scripted. */
import { plain } from '../../../views/text/plain-text.ts'
import type { CommandSpec } from '../command.ts'
import { exitCodeOf } from '../exit-code.ts'
import type { PrintOptions } from '../printer.ts'
import { summary } from '../summary.ts'
import { watchRun } from '../watch-run.ts'

export const command: CommandSpec<PrintOptions> = {
  options: [
    ['--json', 'print each event as a line of JSON'],
    ['-q, --quiet', 'print only the summary'],
  ],
  examples: [['looper demo', 'a few seconds, no agent and no money needed']],
  async run(context, _, options) {
    const { looper, out } = context
    const finished = await watchRun(context, options, (observer, printer) =>
      looper.demo({
        ...observer,
        onRepository: (path, goal) => {
          printer.note(`A demo in ${plain(path)}. Git, the tests and the merges are real.`)
          printer.note('What the agents say, write and cost is scripted: no model is asked, and nothing is paid.')
          printer.note(`Their goal: ${plain(goal)}\n`)
        },
      }),
    )
    if (options.json === true) return exitCodeOf(finished)
    const repository = plain(finished.repository)
    out.write(summary(finished, { ...context, cwd: finished.repository }))
    out.write(`\nThese commands work in the repository of the demo:\n  cd ${repository}\n`)
    return exitCodeOf(finished)
  },
}

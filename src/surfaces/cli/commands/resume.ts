/** `looper resume`: goes on from the journal, with higher limits where wanted. */
import { runArgument, type CommandSpec } from '../command.ts'
import { addLimitFlags, limitFlags } from '../config-flags.ts'
import { performRun, type PerformOptions } from '../perform-run.ts'

interface Options extends PerformOptions, Record<string, unknown> {
  apply?: boolean
}

export const command: CommandSpec<Options> = {
  configure(command) {
    command
      .argument(...runArgument)
      .option('--dry-run', 'show what would happen and stop')
      .option('--apply', 'bring the changes into your branch when the run completes')
      .option('--json', 'print each event as a line of JSON')
      .option('-q, --quiet', 'print nothing but the summary')
    addLimitFlags(command)
  },
  examples: [
    ['looper resume', 'the newest run goes on'],
    ['looper resume 3 --cost-usd 50', 'run 003, with more money'],
    ['looper resume --time-minutes none', 'without a time limit'],
  ],
  async run(context, [run = null], options) {
    const prepared = await context.app.prepareResume(run, { limits: limitFlags(options), apply: options.apply === true })
    return performRun(context, prepared, options)
  },
}

/** `looper resume`: resumes a run from its journal, optionally with other limits. */
import { runArgument, type CommandSpec } from '../command.ts'
import { limitFlags } from '../config-flags.ts'
import { limitOptions } from '../config-options.ts'
import { requestOptions, requestRun, settingsText, type RequestOptions } from '../request-run.ts'

interface Options extends RequestOptions, Record<string, unknown> {
  apply?: boolean
  settings?: boolean
}

export const command: CommandSpec<Options> = {
  arguments: [runArgument],
  options: [['--settings', settingsText], ...requestOptions],
  settings: (table) => limitOptions(table, 'begun'),
  examples: [
    ['looper resume', 'resumes the newest run'],
    ['looper resume 3 --cost-usd 50', 'run 003, with a higher cost limit'],
    ['looper resume --iterations 30', 'up to 30 in total, including earlier ones'],
    ['looper resume --time-minutes none', 'without a time limit'],
  ],
  async run(context, [run = null], options) {
    const settings = options.settings === true ? { settings: true } : {}
    const how = { limits: await limitFlags(context, options), apply: options.apply === true, ...settings }
    return requestRun(context, { do: 'resume', run, options: how }, options)
  },
}

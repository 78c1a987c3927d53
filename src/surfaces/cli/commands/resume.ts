/** `looper resume`: resumes a run from its journal, optionally with other limits. */
import { runArgument, type CommandSpec } from '../command.ts'
import { addLimitFlags, limitFlags } from '../config-flags.ts'
import { addRequestFlags, requestRun, settingsText, type RequestOptions } from '../request-run.ts'

interface Options extends RequestOptions, Record<string, unknown> {
  apply?: boolean
  settings?: boolean
}

export const command: CommandSpec<Options> = {
  configure(command) {
    command.argument(...runArgument)
    command.option('--settings', settingsText)
    addRequestFlags(command)
  },
  addSettings: (command, table) => addLimitFlags(command, table, 'begun'),
  examples: [
    ['looper resume', 'the newest run goes on'],
    ['looper resume 3 --cost-usd 50', 'run 003, with more money'],
    ['looper resume --iterations 30', 'until it has had 30 in all, those before included'],
    ['looper resume --time-minutes none', 'without a time limit'],
  ],
  async run(context, [run = null], options) {
    const settings = options.settings === true ? { settings: true } : {}
    const how = { limits: await limitFlags(context, options), apply: options.apply === true, ...settings }
    return requestRun(context, { do: 'resume', run, options: how }, options)
  },
}

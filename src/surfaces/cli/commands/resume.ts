/** `looper resume`: goes on from the journal, with higher limits where wanted. */
import { runArgument, type CommandSpec } from '../command.ts'
import { addLimitFlags, limitFlags } from '../config-flags.ts'
import { addUndertakeFlags, undertake, type UndertakeOptions } from '../undertake.ts'

interface Options extends UndertakeOptions, Record<string, unknown> {
  apply?: boolean
  settings?: boolean
}

export const command: CommandSpec<Options> = {
  configure(command) {
    command.argument(...runArgument)
    command.option('--settings', 'use set-up, copied files and hooks of the configuration as it is now')
    addUndertakeFlags(command)
    addLimitFlags(command, 'begun')
  },
  examples: [
    ['looper resume', 'the newest run goes on'],
    ['looper resume 3 --cost-usd 50', 'run 003, with more money'],
    ['looper resume --iterations 30', 'until it has had 30 in all, those before included'],
    ['looper resume --time-minutes none', 'without a time limit'],
  ],
  run(context, [run = null], options) {
    const settings = options.settings === true ? { settings: true } : {}
    const how = { limits: limitFlags(options), apply: options.apply === true, ...settings }
    return undertake(context, { do: 'resume', run, options: how }, options)
  },
}

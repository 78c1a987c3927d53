/** `looper fork`: creates a new run that starts from an event of another one. */
import { align } from '../../../views/columns.ts'
import { jsonText } from '../../../views/json-text.ts'
import { plain } from '../../../views/plain-text.ts'
import { tally } from '../../../views/progress.ts'
import { accepting } from '../accept-settings.ts'
import { runArgument, type CommandSpec } from '../command.ts'
import { configFlags } from '../config-flags.ts'
import { configOptions } from '../config-options.ts'

interface Options extends Record<string, unknown> {
  at: string
  json?: boolean
  settings?: boolean
}

export const command: CommandSpec<Options> = {
  arguments: [runArgument],
  options: [
    [
      '--at <place>',
      'the number of an event, the id of a task (just before it first started), a checkpoint like C2, or last',
      { required: true },
    ],
    ['--settings', 'also use settings that changed while the other run was under way'],
    ['--json', 'for programs'],
  ],
  settings: configOptions,
  examples: [
    ['looper fork 3 --at T002', 'from run 003, just before its task T002'],
    ['looper fork 3 --at C2', 'from its checkpoint C2'],
    ['looper fork 3 --at 57 --agent codex', 'from its event 57, with another agent'],
    ['looper fork --at last', 'from the current state of the newest run'],
  ],
  async run(context, [run = null], options) {
    const { app, looper, out, err, paint } = context
    const flags = await configFlags({ looper }, options)
    const { warnings, ...forked } = await accepting(context, options.settings === true, (settings) =>
      app.fork(run, { at: options.at, flags, ...(settings ? { settings } : {}) }),
    )
    for (const warning of warnings) err.write(`${paint.warn('!')} ${plain(warning, 300)}\n`)
    if (options.json === true) {
      out.write(`${jsonText(forked, 2)}\n`)
      return 0
    }
    const { done, total } = tally((await app.readRun(forked.run)).state)
    const steps = [
      [`  looper resume ${forked.run}`, paint.faint('continues from there')],
      [`  looper diff ${forked.run}`, paint.faint('shows the changes it starts with')],
      [`  looper discard ${forked.run}`, paint.faint('discards it')],
    ]
    const where = `${plain(forked.from.run)} was at event ${forked.from.seq}`
    out.write(`${paint.strong(forked.run)} starts where ${where}: ${done} of ${total} tasks done\n`)
    out.write(`${paint.faint('branch')} ${plain(forked.branch)} at ${forked.commit.slice(0, 12)}\n`)
    out.write(`\nnext\n${align(steps).join('\n')}\n`)
    return 0
  },
}

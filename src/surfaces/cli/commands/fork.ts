/** `looper fork`: creates a new run that starts from an event of another one. */
import { align } from '../../../views/text/columns.ts'
import { plural } from '../../../views/text/format.ts'
import { jsonText } from '../../../views/text/json-text.ts'
import { shortRuns } from '../../../views/text/name-run.ts'
import { plain } from '../../../views/text/plain-text.ts'
import { tally } from '../../../views/facts/progress.ts'
import { accepting } from '../accept-settings.ts'
import { runArgument, type CommandSpec } from '../command.ts'
import { configFlags } from '../config-flags.ts'
import { configOptions } from '../config-options.ts'
import { modelOf, modelOption } from '../request-run.ts'
import { warn } from '../warn.ts'

interface Options extends Record<string, unknown> {
  at?: string
  model?: string
  json?: boolean
  settings?: boolean
}

export const command: CommandSpec<Options> = {
  arguments: [runArgument],
  options: [
    [
      '--at <place>',
      'where (default: last): an event number, a task id (just before it first started), a checkpoint like C2, or last',
    ],
    modelOption,
    ['--settings', 'also use settings that changed while the other run was under way'],
    ['--json', 'print JSON'],
  ],
  settings: configOptions,
  examples: [
    ['looper fork 3 --at T002', 'from run 003, just before its task T002'],
    ['looper fork 3 --at C2', 'from its checkpoint C2'],
    ['looper fork 3 --at 57 --agent codex', 'from its event 57, with another agent'],
    ['looper fork 3 --model <name>', 'from its current state, with another model'],
    ['looper fork', 'from the current state of the newest run'],
  ],
  async run(context, [run = null], options) {
    const { app, out, paint } = context
    const flags = await configFlags(context, options)
    const { warnings, ...forked } = await accepting(context, options.settings === true, (settings) =>
      app.fork(run, { at: options.at ?? 'last', flags, ...modelOf(options), ...(settings ? { settings } : {}) }),
    )
    warn(context, warnings)
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
    out.write(`${paint.strong(forked.run)} starts where ${where}: ${done} of ${plural(total, 'task')} done\n`)
    out.write(`${paint.faint('branch')} ${plain(forked.branch)} at ${forked.commit.slice(0, 12)}\n`)
    out.write(`\nnext\n${shortRuns(align(steps).join('\n'))}\n`)
    return 0
  },
}

/** `looper limit`: changes the limits of a run, while it is live or before it is resumed. */
import { orderArgument, type CommandSpec } from '../command.ts'
import { limitFlags } from '../config-flags.ts'
import { limitOptions } from '../config-options.ts'
import { widthOf, type CliContext } from '../context.ts'
import { order } from '../orders.ts'
import { limitsText } from '../../../views/facts/limit-words.ts'
import { align } from '../../../views/text/columns.ts'
import { shortRuns } from '../../../views/text/name-run.ts'
import { plain } from '../../../views/text/plain-text.ts'
import { wrapLines } from '../../../views/text/rows.ts'

export const command: CommandSpec<Record<string, unknown>> = {
  arguments: [orderArgument],
  settings: (table) => limitOptions(table, 'begun'),
  examples: [
    ['looper limit --cost-usd 50', 'a higher cost limit for the run under way, else the newest'],
    ['looper limit 3 --time-minutes none', 'no time limit for run 003'],
    ['looper limit', 'shows the limits and how to change them'],
  ],
  async run(context, [run = null], options) {
    const limits = await limitFlags(context, options)
    if (Object.keys(limits).length === 0) return showLimits(context, run)
    const what = limitsText(limits)
    return order(
      context,
      run,
      { do: 'limit', limits },
      { live: `${what}, from now on`, resting: `${what}, from the next resume on` },
    )
  },
}

/** Lists the limits of a run with the flags that change them. */
async function showLimits({ app, io, looper, out, paint }: CliContext, run: string | null): Promise<number> {
  const { state } = await app.readRun(run, 'live')
  const values = new Map<string, number | null | undefined>(Object.entries(state.config.limits))
  const { table } = await looper.settingFlags()
  const rows = table
    .filter(({ key }) => key.startsWith('limits.'))
    .map(({ key, flag, about }) => {
      const value = values.get(key.slice('limits.'.length)) ?? null
      const [what = ''] = about.split(/[;.](?: |$)/)
      return [`  --${flag}`, value === null ? 'none' : plain(String(value), 20), paint.faint(what)]
    })
  const lines = [
    `Limits of ${plain(state.run)}:`,
    ...align(rows),
    '',
    hasEnded(state.status)
      ? `The run is ${state.status}, so its limits stay. A new run takes others: looper run "<goal>" --cost-usd 50`
      : `Change one: looper limit ${state.run} --cost-usd 50`,
  ]
  out.write(`${wrapLines(shortRuns(lines.join('\n')), widthOf(io))}\n`)
  return 0
}

/** Such a run cannot be resumed, so no limit of it can matter. */
const hasEnded = (status: string): boolean => status === 'completed' || status === 'aborted'

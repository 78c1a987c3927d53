/** `looper limit`: changes the limits of a run, while it is live or before it is resumed. */
import { LooperError } from '../../../api/error.ts'
import { orderArgument, type CommandSpec } from '../command.ts'
import { limitFlags } from '../config-flags.ts'
import { limitOptions } from '../config-options.ts'
import { order } from '../orders.ts'

export const command: CommandSpec<Record<string, unknown>> = {
  arguments: [orderArgument],
  settings: (table) => limitOptions(table, 'begun'),
  examples: [
    ['looper limit --cost-usd 50', 'a higher cost limit for the run under way, else the newest'],
    ['looper limit 3 --time-minutes none', 'no time limit for run 003'],
  ],
  async run(context, [run = null], options) {
    const limits = await limitFlags(context, options)
    if (Object.keys(limits).length === 0)
      throw new LooperError('USAGE_ARGUMENTS', 'No limit was given.', {
        hint: 'For example: looper limit --cost-usd 50',
      })
    const what = Object.entries(limits)
      .map(([name, value]) => `${name} ${value ?? 'without limit'}`)
      .join(', ')
    return order(
      context,
      run,
      { do: 'limit', limits },
      { live: `${what}, from now on`, resting: `${what}, from the next resume on` },
    )
  },
}

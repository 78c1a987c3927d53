/** `looper stats`: summarizes runs: success rate, cost, time, failures. */
import { LooperError } from '../../../api/error.ts'
import { parseTime } from '../../../api/nouns.ts'
import { jsonText } from '../../../views/text/json-text.ts'
import { statsText } from '../../../views/history/stats-text.ts'
import type { CommandSpec } from '../command.ts'

export const command: CommandSpec<{ json?: boolean; since?: string }> = {
  arguments: [['[run...]', 'numbers, ids or parts of ids of runs (default: all)']],
  options: [
    ['--since <date>', 'only runs started then or later, like 2026-01-31'],
    ['--json', 'print JSON'],
  ],
  examples: [
    ['looper stats', 'all runs of this repository'],
    ['looper stats 3 4 5', 'these three'],
    ['looper stats --since 2026-01-31 --json | jq .agents', ''],
  ],
  async run({ app, out, paint }, runs, { json, since }) {
    const stats = await app.stats(runs, since === undefined ? null : dateOf(since))
    if (json === true) out.write(`${jsonText(stats, 2)}\n`)
    else if (stats.runs === 0 && stats.unreadable.length === 0)
      out.write(
        since === undefined ? 'No runs yet. Start one: looper run "what you want"\n' : `No runs since ${since}.\n`,
      )
    else out.write(statsText(stats, paint))
    return 0
  },
}

/** Throws USAGE_ARGUMENTS for an invalid date. */
function dateOf(text: string): string {
  const time = /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$/.test(text) ? parseTime(text) : null
  if (time === null) throw new LooperError('USAGE_ARGUMENTS', `--since takes a date like 2026-01-31, not '${text}'`)
  return time
}

/** Performs a prepared run, from its card to its summary. */
import { card } from '../../views/card.ts'
import { jsonText } from '../../views/json-text.ts'
import { plain } from '../../views/plain-text.ts'
import type { PreparedRun } from '../../api/runs.ts'
import { widthOf, type Context } from './context.ts'
import { exitCodeOf } from './exit-code.ts'
import { summary } from './summary.ts'
import { watchRun, type WatchOptions } from './watch-run.ts'

export interface PerformOptions extends WatchOptions {
  /** Stop after the card. */
  dryRun?: boolean
}

export function warn({ err, paint }: Context, { warnings }: PreparedRun): void {
  for (const warning of warnings) err.write(`${paint.warn('!')} ${plain(warning, 300)}\n`)
}

/** Returns the exit code. */
export async function performRun(context: Context, prepared: PreparedRun, options: PerformOptions): Promise<number> {
  const { io, out, paint } = context
  warn(context, prepared)
  if (options.dryRun === true) {
    out.write(options.json === true ? `${jsonText(prepared.card)}\n` : card(prepared.card, paint, widthOf(io)))
    return 0
  }
  const hangup = options.hangup ?? prepared.hangup ?? 'stop'
  const finished = await watchRun(context, { ...options, hangup }, (observer) => {
    // Signal handlers are active before the card is printed, so the user can stop the run as soon as it is visible.
    if (options.json !== true && options.quiet !== true) out.write(`${card(prepared.card, paint, widthOf(io))}\n`)
    return prepared.start(observer)
  })
  if (options.json !== true) out.write(summary(finished, context))
  return exitCodeOf(finished)
}

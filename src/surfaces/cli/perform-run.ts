/** Performs a prepared run, from its card to its summary. */
import { card } from '../../views/status/card.ts'
import { jsonText } from '../../views/text/json-text.ts'
import type { Finished, PreparedRun } from '../../api/runs.ts'
import { widthOf, type CliContext } from './context.ts'
import { exitCodeOf } from './exit-code.ts'
import { announce, opening, type OpeningOptions } from './opening.ts'
import { summary } from './summary.ts'
import { watchRun, type WatchOptions } from './watch-run.ts'

export interface PerformOptions extends WatchOptions, OpeningOptions {
  /** Stop after the card. */
  dryRun?: boolean
  /** What to perform next when the run has paused; null: nothing. */
  goOn?: (finished: Finished) => Promise<PreparedRun | null>
}

/** Returns the exit code. */
export async function performRun(context: CliContext, prepared: PreparedRun, options: PerformOptions): Promise<number> {
  const { io, out, paint } = context
  announce(context, prepared)
  if (options.dryRun === true) {
    out.write(options.json === true ? `${jsonText(prepared.card)}\n` : card(prepared.card, paint, widthOf(io)))
    await prepared.confirmLogins?.()
    return 0
  }
  const hangup = options.hangup ?? prepared.hangup ?? 'stop'
  const activity = options.activity ?? prepared.activity ?? false
  const finished = await watchRun(context, { ...options, hangup, activity }, (observer) => {
    // Signal handlers are active before the card is printed, so the user can stop the run as soon as it is visible.
    if (options.json !== true && options.quiet !== true) out.write(opening(context, prepared, options))
    return prepared.start(observer)
  })
  if (options.json !== true) out.write(summary(finished, context))
  // Asked once: when the run pauses again, its summary says what to do.
  const { goOn, isAgreed: _, ...others } = options
  const next = (await goOn?.(finished)) ?? null
  return next === null ? exitCodeOf(finished) : performRun(context, next, others)
}

/** `looper attach`: shows a run that another process performs, as if it were performed here. */
import { basename } from 'node:path'
import { evolve } from '../../../core/evolve.ts'
import { initialState } from '../../../core/initial.ts'
import { LooperError } from '../../../model/error.ts'
import type { RunState } from '../../../model/state.ts'
import { card, cardOfRun } from '../../../views/card.ts'
import { plain } from '../../../views/plain-text.ts'
import type { ReadRun } from '../app.ts'
import { orderArgument, type CommandSpec } from '../command.ts'
import { widthOf, type Context } from '../context.ts'
import { exitCodeOf } from '../exit-code.ts'
import { createPrinter, paperPrinter, type Printer, type PrintOptions } from '../printer.ts'
import { summary } from '../summary.ts'
import { wholeNumber } from '../whole-number.ts'

interface Options extends PrintOptions {
  lines: string
}

export const command: CommandSpec<Options> = {
  configure: (command) =>
    void command
      .argument(...orderArgument)
      .option('-n, --lines <n>', 'how many lines of what happened so far', 'all')
      .option('--json', 'print each event as a line of JSON')
      .option('-q, --quiet', 'print nothing but the summary'),
  examples: [
    ['looper attach', 'the run that is under way; Ctrl-C leaves it running'],
    ['looper attach auth', 'the newest run of the session "auth"'],
    ['looper run -d "…" && looper attach', 'the exit code is that of the run'],
  ],
  async run(context, [run = null], options) {
    const last = options.lines === 'all' ? null : wholeNumber('--lines', options.lines)
    const found = await context.app.readRun(run, 'live')
    if (found.state.status === 'new' && !found.live)
      throw new LooperError('USAGE_RUN_STATE', `${basename(found.dir)} never started.`)
    return attach(context, found, options, last)
  },
}

async function attach(context: Context, found: ReadRun, options: PrintOptions, last: number | null): Promise<number> {
  const { io, out, err } = context
  const { live, dir } = found
  const run = plain(basename(dir))
  const leaving = new AbortController()
  const leave = (): void => leaving.abort()
  const offs = [io.onSignal('SIGINT', leave), io.onSignal('SIGTERM', leave)]
  out.onGone(leave)
  try {
    const state = await show(context, found, options, last, leaving.signal)
    if (leaving.signal.aborted) {
      err.write(
        `detached from ${run}, which goes on: \`looper attach ${run}\` comes back, \`looper stop ${run}\` stops it\n`,
      )
      return 0
    }
    if (!live) err.write(`${run} is not under way: this is how it was left\n`)
    if (options.json !== true) out.write(summary({ state, dir, applied: null }, context))
    return exitCodeOf({ state, applied: null })
  } finally {
    for (const off of offs) off()
  }
}

/** What happened before is cut to the last lines, what happens now is shown as it comes. */
async function show(
  context: Context,
  { state: then, dir }: ReadRun,
  options: PrintOptions,
  last: number | null,
  signal: AbortSignal,
): Promise<RunState> {
  const { app, out, paint } = context
  const state = initialState()
  const past = createPast(context, options)
  let printer: Printer | null = null
  try {
    for await (const event of app.watch(basename(dir), signal)) {
      evolve(state, event)
      const known = printer ?? past.printer
      known.event(event, state)
      if (printer !== null || event.seq < then.seq) continue
      if (options.json !== true && options.quiet !== true)
        out.write(`${card(cardOfRun(state), paint, widthOf(context.io))}\n`)
      out.write(past.lines(last).join(''))
      printer = createPrinter(context, options, () => state)
    }
  } finally {
    printer?.end()
  }
  return state
}

/** A printer on paper: what it prints is kept, to be cut. */
function createPast(
  context: Context,
  options: PrintOptions,
): { printer: Printer; lines(last: number | null): string[] } {
  const kept: string[] = []
  const out = { write: (text: string | Uint8Array) => void kept.push(String(text)), onGone: () => {} }
  return {
    printer: paperPrinter({ ...context, out }, options),
    lines: (last) => (last === null ? kept : kept.slice(Math.max(0, kept.length - last))),
  }
}

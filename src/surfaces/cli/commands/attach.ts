/** `looper attach`: shows the live output of a run in another process. */
import { basename } from 'node:path'
import { LooperError } from '../../../api/error.ts'
import type { RunState } from '../../../api/nouns.ts'
import { card, cardOfRun } from '../../../views/status/card.ts'
import { shortRuns } from '../../../views/text/name-run.ts'
import { plain } from '../../../views/text/plain-text.ts'
import type { ReadRun } from '../../../api/runs.ts'
import type { Settings } from '../../../api/settings.ts'
import { orderArgument, type CommandSpec } from '../command.ts'
import { widthOf, type CliContext } from '../context.ts'
import { exitCodeOf } from '../exit-code.ts'
import { createLastLines, lineCount } from '../last-lines.ts'
import { activityOption } from '../request-run.ts'
import { createPrinter, paperPrinter, type Printer, type PrintOptions } from '../printer.ts'
import { summary } from '../summary.ts'

interface Options extends PrintOptions {
  lines?: string
}

export const command: CommandSpec<Options> = {
  arguments: [orderArgument],
  options: [
    ['-n, --lines <n>', 'how many earlier lines to show (default: "all")'],
    ['--json', 'print each event as a line of JSON'],
    ['-q, --quiet', 'print only the summary'],
    activityOption,
  ],
  examples: [
    ['looper attach', 'the run that is under way; Ctrl-C leaves it running'],
    ['looper attach auth', 'the newest run of the session "auth"'],
    ['looper run -d "…" && looper attach', 'the exit code is that of the run'],
  ],
  async run(context, [run = null], options) {
    const last = lineCount(options.lines ?? 'all')
    const found = await context.app.readRun(run, 'live')
    if (found.state.status === 'new' && !found.live)
      throw new LooperError('USAGE_RUN_STATE', `${basename(found.dir)} never started.`)
    const activity = options.activity ?? (context.io.isTTY && (await showsActivity(context)))
    return attach(context, found, { ...options, activity }, last)
  },
}

/** A broken configuration must not keep a person from watching a run. */
async function showsActivity({ app }: CliContext): Promise<boolean> {
  const settings = await app.config({}).then<Settings, Settings>(
    (found) => found.settings,
    () => ({}),
  )
  return settings['activity']?.value === true
}

async function attach(
  context: CliContext,
  found: ReadRun,
  options: PrintOptions,
  last: number | null,
): Promise<number> {
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
      const ways = `\`looper attach ${run}\` reattaches, \`looper stop ${run}\` stops it`
      err.write(`detached from ${run}, which keeps running: ${shortRuns(ways)}\n`)
      return 0
    }
    if (!live) err.write(`${run} is not under way: this is its last state\n`)
    if (options.json !== true) out.write(summary({ state, dir, applied: null }, context))
    return exitCodeOf({ state, applied: null })
  } finally {
    for (const off of offs) off()
  }
}

/** Earlier events are cut to the last lines; new events are printed as they arrive. */
async function show(
  context: CliContext,
  { state: then, dir }: ReadRun,
  options: PrintOptions,
  last: number | null,
  signal: AbortSignal,
): Promise<RunState> {
  const { app, out, paint } = context
  let newest = then
  const earlier = createLastLines(last)
  const history = await paperPrinter(
    { ...context, out: { write: (text) => earlier.add(String(text)), onGone: () => {} } },
    options,
  )
  let printer: Printer | null = null
  try {
    for await (const { event, state } of app.follow(basename(dir), { signal })) {
      newest = state
      const known = printer ?? history
      known.event(event, state)
      if (event.seq < then.seq) continue
      if (printer === null) {
        if (options.json !== true && options.quiet !== true)
          out.write(`${card(cardOfRun(state), paint, widthOf(context.io))}\n`)
        out.write(earlier.lines().join(''))
        printer = await createPrinter(context, options, () => newest)
      }
      // The process may hold the run for a while after its end.
      if (state.endedAt !== null) break
    }
  } finally {
    printer?.end()
  }
  return newest
}

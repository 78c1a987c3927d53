/** Prints the progress of a run: JSON for programs, lines for people, nothing when quiet. */
import type { Event, RunState } from '../../api/nouns.ts'
import { lineFor } from '../../views/live/lines.ts'
import { statusLine } from '../../views/status/status-line.ts'
import { shortRuns } from '../../views/text/name-run.ts'
import { wrapLines } from '../../views/text/rows.ts'
import { widthOf, type CliContext } from './context.ts'
import { followAgents } from './follow-agents.ts'
import { createLiveLine } from './live-line.ts'

export interface Printer {
  event(event: Event, state: RunState): void
  /** Prints a message of Looper itself; with --json or --quiet it goes to stderr, never to stdout. */
  note(text: string): void
  end(): void
}

export interface PrintOptions {
  json?: boolean
  quiet?: boolean
  /** Show on a terminal what each agent did last. */
  activity?: boolean
}

/** `state` returns the newest state, null before there is one. */
export async function createPrinter(
  context: CliContext,
  options: PrintOptions,
  state: () => RunState | null,
): Promise<Printer> {
  const { io } = context
  const isLive = options.json !== true && options.quiet !== true && io.isTTY && io.env.TERM !== 'dumb'
  return isLive ? livePrinter(context, state, options.activity === true) : paperPrinter(context, options)
}

/** A printer that never changes lines that it has printed. */
export async function paperPrinter(context: PaperContext, options: PrintOptions): Promise<Printer> {
  if (options.json === true) return jsonPrinter(context, await context.looper.eventEncoder())
  if (options.quiet === true) return { event: () => {}, note: (text) => context.err.write(`${text}\n`), end: () => {} }
  return linePrinter(context, (line) => context.out.write(`${line}\n`))
}

type PaperContext = Pick<CliContext, 'io' | 'looper' | 'out' | 'err' | 'paint'>

const jsonPrinter = ({ out, err }: PaperContext, encode: (event: Event) => string): Printer => ({
  event: (event) => out.write(`${encode(event)}\n`),
  note: (text) => err.write(`${text}\n`),
  end: () => {},
})

function livePrinter(context: CliContext, state: () => RunState | null, hasActivity: boolean): Printer {
  const { io, out, paint } = context
  const agents = hasActivity ? followAgents(context) : null
  const live = createLiveLine(out, io, (width) => {
    const now = state()
    if (now === null) return ''
    const lines = [...(agents?.lines(now, width) ?? []), statusLine(now, io.now(), width, io.zone)]
    return lines.map((line) => paint.faint(line)).join('\n')
  })
  const { event, note } = linePrinter(context, live.print)
  return {
    event(recorded, now) {
      agents?.follow(now.run)
      event(recorded, now)
    },
    note,
    end() {
      agents?.stop()
      live.end()
    },
  }
}

const linePrinter = ({ io, paint }: Pick<CliContext, 'io' | 'paint'>, print: (line: string) => void): Printer => ({
  event(event, state) {
    // The summary shows how the run ended.
    if (event.type === 'run.ended' || event.type === 'run.paused' || event.type === 'run.applied') return
    const line = lineFor(event, state, paint, io.zone)
    if (line !== null) print(wrapLines(shortRuns(line), widthOf(io)))
  },
  note: print,
  end: () => {},
})

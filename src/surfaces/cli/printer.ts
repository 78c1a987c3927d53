/** Prints the progress of a run: JSON for programs, lines for people, nothing when quiet. */
import type { Event } from '../../api/nouns.ts'
import type { RunState } from '../../api/nouns.ts'
import { lineFor } from '../../views/lines.ts'
import { statusLine } from '../../views/status-line.ts'
import type { Context } from './context.ts'
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
}

/** `state` returns the newest state, null before there is one. */
export async function createPrinter(
  context: Context,
  options: PrintOptions,
  state: () => RunState | null,
): Promise<Printer> {
  const { io } = context
  const isLive = options.json !== true && options.quiet !== true && io.isTTY && io.env.TERM !== 'dumb'
  return isLive ? livePrinter(context, state) : paperPrinter(context, options)
}

/** A printer that never changes lines that it has printed. */
export async function paperPrinter(context: Sheet, options: PrintOptions): Promise<Printer> {
  if (options.json === true) return jsonPrinter(context, await context.looper.eventEncoder())
  if (options.quiet === true) return { event: () => {}, note: (text) => context.err.write(`${text}\n`), end: () => {} }
  return linePrinter(context, (line) => context.out.write(`${line}\n`))
}

type Sheet = Pick<Context, 'looper' | 'out' | 'err' | 'paint'>

const jsonPrinter = ({ out, err }: Sheet, encode: (event: Event) => string): Printer => ({
  event: (event) => out.write(`${encode(event)}\n`),
  note: (text) => err.write(`${text}\n`),
  end: () => {},
})

function livePrinter(context: Context, state: () => RunState | null): Printer {
  const { io, out, paint } = context
  const live = createLiveLine(out, io, (width) => {
    const now = state()
    return now === null ? '' : paint.faint(statusLine(now, io.now(), width))
  })
  return { ...linePrinter(context, live.print), end: live.end }
}

const linePrinter = ({ paint }: Pick<Context, 'paint'>, print: (line: string) => void): Printer => ({
  event(event, state) {
    // The summary shows how the run ended.
    if (event.type === 'run.ended' || event.type === 'run.paused' || event.type === 'run.applied') return
    const line = lineFor(event, state, paint)
    if (line !== null) print(line)
  },
  note: print,
  end: () => {},
})

/** `looper tail`: the last lines of a run, and with -f those that come. */
import { evolve } from '../../../core/evolve.ts'
import { initialState } from '../../../core/initial.ts'
import { encodeEvent } from '../../../journal/line.ts'
import type { Event } from '../../../model/event.ts'
import { lineFor } from '../../../views/lines.ts'
import { runArgument, type CommandSpec } from '../command.ts'
import type { Context } from '../context.ts'
import { wholeNumber } from '../whole-number.ts'

interface Options {
  follow?: boolean
  lines: string
  json?: boolean
}

export const command: CommandSpec<Options> = {
  configure: (command) => void command
    .argument(...runArgument)
    .option('-f, --follow', 'go on with what happens')
    .option('-n, --lines <n>', 'how many lines; "all" for the whole run', '20')
    .option('--json', 'print events as lines of JSON'),
  examples: [
    ['looper tail -f', 'follows the newest run'],
    ['looper tail 3 -n 100', ''],
    ['looper tail --json -n all', 'the whole journal'],
  ],
  async run(context, [run = null], { follow = false, lines, json }) {
    const { app, io, out } = context
    const last = lines === 'all' ? null : wholeNumber('--lines', lines)
    const stop = new AbortController()
    let interrupted = false
    const interrupt = (): void => {
      interrupted = true
      stop.abort()
    }
    const offs = follow ? [io.onSignal('SIGINT', interrupt), io.onSignal('SIGTERM', interrupt)] : []
    out.onGone(() => stop.abort())
    try {
      const request = { follow, last, signal: stop.signal }
      await (json === true ? printEvents(context, app.events(run, request)) : printLines(context, run, request))
    } finally {
      for (const off of offs) off()
    }
    return interrupted ? 130 : 0
  },
}

async function printEvents({ out }: Context, events: AsyncIterable<Event>): Promise<void> {
  for await (const event of events) out.write(`${encodeEvent(event)}\n`)
}

/** Lines need the state they belong to, so the whole run is folded; what was there already is cut to the last lines. */
async function printLines({ app, out, paint }: Context, run: string | null, request: Parameters<typeof app.events>[1]): Promise<void> {
  const { state: { run: id, seq: newest } } = await app.readRun(run)
  const state = initialState()
  let kept: string[] | null = []
  const flush = (): void => {
    const { last } = request
    out.write((kept ?? []).slice(last === null ? 0 : Math.max(0, (kept ?? []).length - last)).join(''))
    kept = null
  }
  for await (const event of app.events(id, { ...request, last: null })) {
    const line = lineFor(event, evolve(state, event), paint)
    const text = line === null ? '' : `${paint.faint(event.at.slice(11, 19))} ${line}\n`
    if (kept === null) out.write(text)
    else if (text !== '') kept.push(text)
    if (kept !== null && event.seq >= newest) flush()
  }
  if (kept !== null) flush()
}

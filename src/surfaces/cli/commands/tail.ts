/** `looper tail`: the last lines of a run, and with -f those that come. */
import { evolve } from '../../../core/evolve.ts'
import { initialState } from '../../../core/initial.ts'
import { encodeEvent } from '../../../journal/line.ts'
import { isAbout } from '../../../logs/select.ts'
import { LooperError } from '../../../model/error.ts'
import type { Event } from '../../../model/event.ts'
import { jsonText } from '../../../views/json-text.ts'
import { lineFor } from '../../../views/lines.ts'
import { plain } from '../../../views/plain-text.ts'
import { runArgument, type CommandSpec } from '../command.ts'
import type { Context } from '../context.ts'
import { wantedTypes } from '../log-types.ts'
import { printLog } from '../print-log.ts'
import { untilStopped } from '../until-stopped.ts'
import { wholeNumber } from '../whole-number.ts'

interface Options {
  follow?: boolean
  lines: string
  task?: string
  type?: string
  json?: boolean
}

export const command: CommandSpec<Options> = {
  configure: (command) =>
    void command
      .argument(...runArgument)
      .option('-f, --follow', 'go on with what happens')
      .option('-n, --lines <n>', 'how many lines; "all" for the whole run', '20')
      .option('--task <task>', 'only what is about this task')
      .option('--type <types>', 'only these: message, tool_use, command, error, summary of the log, or types of events')
      .option('--json', 'print events as lines of JSON'),
  examples: [
    ['looper tail -f', 'follows the newest run'],
    ['looper tail 3 -n 100', ''],
    ['looper tail -f --type message,command', 'what agents say and run'],
    ['looper tail --task T002 --type check.finished', 'the checks of one task'],
    ['looper tail --json -n all', 'the whole journal'],
  ],
  run(context, [run = null], { follow = false, lines, task = null, type, json = false }) {
    const last = lines === 'all' ? null : wholeNumber('--lines', lines)
    const wanted = wantedTypes(type)
    return untilStopped(context, follow, (signal) => {
      if (wanted?.of === 'log') return printLog(context, run, { follow, last, task, types: wanted.types, signal }, json)
      return printJournal(context, run, { follow, last, task, types: wanted?.types ?? null, signal, json })
    })
  },
}

interface JournalRequest {
  follow: boolean
  last: number | null
  task: string | null
  types: readonly string[] | null
  signal: AbortSignal
  json: boolean
}

async function printJournal(context: Context, run: string | null, request: JournalRequest): Promise<void> {
  const { follow, last, signal, json, task, types } = request
  if (!json || task !== null || types !== null) return printLines(context, run, request)
  for await (const event of context.app.events(run, { follow, last, signal }))
    context.out.write(`${encodeEvent(event)}\n`)
}

/** Lines need the state they belong to, so the whole run is folded; what was there already is cut to the last lines. */
async function printLines({ app, out, paint }: Context, run: string | null, request: JournalRequest): Promise<void> {
  const { follow, last, signal, json, task, types } = request
  const {
    state: { run: id, seq: newest, tasks },
  } = await app.readRun(run)
  if (task !== null && !follow && !Object.hasOwn(tasks, task)) throw noTask(id, task)
  const state = initialState()
  const isWanted = (event: Event): boolean =>
    (task === null || isAbout(event, task)) && (types === null || types.includes(event.type))
  const textOf = (event: Event): string => {
    if (json) return isWanted(event) ? `${encodeEvent(event)}\n` : ''
    const line = lineFor(event, evolve(state, event), paint)
    if (!isWanted(event)) return ''
    // Whoever asks for a type by name sees it, also where there is usually nothing to say.
    const shown = line ?? (types === null ? null : paint.faint(bare(event)))
    return shown === null ? '' : `${paint.faint(event.at.slice(11, 19))} ${shown}\n`
  }
  let kept: string[] | null = []
  const flush = (): void => {
    out.write((kept ?? []).slice(last === null ? 0 : Math.max(0, (kept ?? []).length - last)).join(''))
    kept = null
  }
  for await (const event of app.events(id, { follow, last: null, signal })) {
    const text = textOf(event)
    if (kept === null) out.write(text)
    else if (text !== '') kept.push(text)
    if (kept !== null && event.seq >= newest) flush()
  }
  if (kept !== null) flush()
}

function bare({ seq: _seq, at: _at, type, ...payload }: Event): string {
  return `· ${type} ${plain(jsonText(payload), 120)}`
}

const noTask = (run: string, task: string): LooperError =>
  new LooperError('USAGE_NO_TASK', `${run} has no task ${JSON.stringify(task)}.`, {
    hint: `\`looper ls ${run}\` lists its tasks.`,
  })

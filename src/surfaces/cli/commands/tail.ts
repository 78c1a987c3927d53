/** `looper tail`: prints the last lines of a run, and with -f new ones as they arrive. */
import { isAbout } from '../../../views/live/about-task.ts'
import type { RepositoryApp } from '../../../api/app.ts'
import { LooperError } from '../../../api/error.ts'
import type { Followed } from '../../../api/follow.ts'
import type { Event } from '../../../api/nouns.ts'
import { jsonText } from '../../../views/text/json-text.ts'
import { lineFor } from '../../../views/live/lines.ts'
import { columns } from '../../../views/text/columns.ts'
import { timeOfDay } from '../../../views/text/format.ts'
import { shortRuns } from '../../../views/text/name-run.ts'
import { plain } from '../../../views/text/plain-text.ts'
import { wrapLines } from '../../../views/text/rows.ts'
import { runArgument, type CommandSpec } from '../command.ts'
import { widthOf, type CliContext } from '../context.ts'
import { createLastLines, lineCount } from '../last-lines.ts'
import { wantedTypes } from '../log-types.ts'
import { printLog, type LogOptions } from '../print-log.ts'
import { untilStopped } from '../until-stopped.ts'

export const command: CommandSpec<LogOptions> = {
  arguments: [runArgument],
  options: [
    ['-f, --follow', 'follow new events'],
    ['-n, --lines <n>', 'how many lines; "all" for the whole run (default: "20")'],
    ['--task <task>', 'only events of this task'],
    ['--type <types>', 'only these: message, tool_use, command, error, summary of the log, or types of events'],
    ['--json', 'print events as lines of JSON'],
  ],
  examples: [
    ['looper tail -f', 'follows the newest run'],
    ['looper tail 3 -n 100', ''],
    ['looper tail -f --type message,command', 'what agents say and run'],
    ['looper tail --task T002 --type check.finished', 'the checks of one task'],
    ['looper tail --json -n all', 'the whole journal'],
  ],
  async run(context, [run = null], { follow = false, lines = '20', task = null, type, json = false }) {
    const last = lineCount(lines)
    const wanted = await wantedTypes(context.looper, type)
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

async function printJournal(context: CliContext, run: string | null, request: JournalRequest): Promise<void> {
  const { follow, last, signal, json, task, types } = request
  if (!json || task !== null || types !== null) return printLines(context, run, request)
  const encode = await context.looper.eventEncoder()
  const newest = await newestOf(context, run)
  if (newest === 0 && !follow) return
  const after = last === null ? 0 : Math.max(0, newest - last)
  for await (const { event } of shown(context.app, run, { after, newest, follow, signal }))
    context.out.write(`${encode(event)}\n`)
}

/** The number of the newest event; 0 while the run is starting. */
async function newestOf({ app }: CliContext, run: string | null): Promise<number> {
  try {
    return (await app.readRun(run)).state.seq
  } catch (error) {
    if (error instanceof LooperError && error.code === 'USAGE_RUN_STATE') return 0
    throw error
  }
}

/** The events up to the newest one, or with `follow` until the run ends. */
async function* shown(
  app: RepositoryApp,
  run: string | null,
  { after, newest, follow, signal }: { after: number; newest: number; follow: boolean; signal: AbortSignal },
): AsyncGenerator<Followed> {
  if (!follow && after >= newest) return
  for await (const followed of app.follow(run, { after, until: follow ? 'end' : 'rest', signal })) {
    yield followed
    if (followed.event.seq >= newest && (!follow || followed.state.endedAt !== null)) return
  }
}

/** Most events have no line of their own. */
const eventsPerLine = 32

/** A line needs the state after its event. Lines that existed at the start are cut to the last ones. */
async function printLines(
  { app, io, looper, out, paint }: CliContext,
  run: string | null,
  request: JournalRequest,
): Promise<void> {
  const { follow, last, signal, json, task, types } = request
  const {
    state: { run: id, seq: newest, tasks },
  } = await app.readRun(run)
  if (task !== null && !follow && !Object.hasOwn(tasks, task)) throw noTask(id, task)
  const encode = await looper.eventEncoder()
  const isWanted = (event: Event): boolean =>
    (task === null || isAbout(event, task)) && (types === null || types.includes(event.type))
  const textOf = ({ event, state }: Followed): string => {
    if (json) return isWanted(event) ? `${encode(event)}\n` : ''
    if (!isWanted(event)) return ''
    // A type that the user named is shown even when its events have no line of their own.
    const text = lineFor(event, state, paint, io.zone) ?? (types === null ? null : paint.faint(bare(event)))
    const at = `${timeOfDay(event.at, io.zone)} `
    return text === null ? '' : `${paint.faint(at)}${wrapLines(shortRuns(text), widthOf(io), columns(at))}\n`
  }
  /** Prints what there is after an event. False: these are fewer lines than were asked for, so nothing was printed. */
  async function printAfter(after: number): Promise<boolean> {
    const earlier = createLastLines(last)
    let isNew = false
    const printEarlier = (): void => {
      out.write(earlier.lines().join(''))
      isNew = true
    }
    for await (const followed of shown(app, id, { after, newest, follow, signal })) {
      const text = textOf(followed)
      if (isNew) out.write(text)
      else if (text !== '') earlier.add(text)
      if (isNew || followed.event.seq < newest) continue
      if (after > 0 && earlier.lines().length < (last ?? Infinity)) return false
      printEarlier()
    }
    if (!isNew) printEarlier()
    return true
  }
  const isFiltered = task !== null || types !== null
  const recent = isFiltered || last === null ? 0 : Math.max(0, newest - eventsPerLine * (last + 1))
  if (!(await printAfter(recent))) await printAfter(0)
}

function bare({ seq: _seq, at: _at, type, ...payload }: Event): string {
  return `· ${type} ${plain(jsonText(payload), 120)}`
}

const noTask = (run: string, task: string): LooperError =>
  new LooperError('USAGE_NO_TASK', `${run} has no task ${JSON.stringify(task)}.`, {
    hint: `\`looper ls ${run}\` lists its tasks.`,
  })

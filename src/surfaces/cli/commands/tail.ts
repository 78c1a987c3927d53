/** `looper tail`: prints the last lines of a run, and with -f new ones as they arrive. */
import { isAbout } from '../../../views/about-task.ts'
import type { RepositoryApp } from '../../../api/app.ts'
import { LooperError } from '../../../api/error.ts'
import type { Followed } from '../../../api/follow.ts'
import type { Event } from '../../../api/nouns.ts'
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
  lines?: string
  task?: string
  type?: string
  json?: boolean
}

export const command: CommandSpec<Options> = {
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
    const last = lines === 'all' ? null : wholeNumber('--lines', lines)
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

async function printJournal(context: Context, run: string | null, request: JournalRequest): Promise<void> {
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
async function newestOf({ app }: Context, run: string | null): Promise<number> {
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

/**
 * Reads the whole run, because a line needs the state after its event. Lines that existed at the start are cut to the
 * last ones.
 */
async function printLines(
  { app, looper, out, paint }: Context,
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
    const text = lineFor(event, state, paint) ?? (types === null ? null : paint.faint(bare(event)))
    return text === null ? '' : `${paint.faint(event.at.slice(11, 19))} ${text}\n`
  }
  let kept: string[] | null = []
  const flush = (): void => {
    out.write((kept ?? []).slice(last === null ? 0 : Math.max(0, (kept ?? []).length - last)).join(''))
    kept = null
  }
  for await (const followed of shown(app, id, { after: 0, newest, follow, signal })) {
    const text = textOf(followed)
    if (kept === null) out.write(text)
    else if (text !== '') kept.push(text)
    if (kept !== null && followed.event.seq >= newest) flush()
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

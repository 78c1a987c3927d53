/** Prints a log for people: the speaker, then messages, tools, commands and summaries. */
import type { LogEvent } from '../model/log.ts'
import { givesOpinion } from '../model/purposes.ts'
import { plural } from './format.ts'
import type { Paint } from './paint.ts'
import { plain, plainBlock } from './plain-text.ts'
import { facts } from './progress.ts'

const margin = ' '.repeat(9)
/** Longer messages are cut here; the JSON output has them in full. */
const mostChars = 10_000

/** Formats one event after the other; prints the speaker when it changes. */
export function createLogText(paint: Paint): (event: LogEvent) => string {
  let speaker = ''
  return (event) => {
    const who = speakerOf(event)
    const heading = who === speaker ? '' : `${paint.strong(`── ${who}`)}\n`
    speaker = who
    const [first = '', ...more] = bodyOf(event, paint).split('\n')
    const lines = [`${paint.faint(event.timestamp.slice(11, 19))} ${first}`, ...more.map((line) => `${margin}${line}`)]
    return `${heading}${lines.map((line) => `${line.trimEnd()}\n`).join('')}`
  }
}

function speakerOf({ task, turn, role, agent }: LogEvent): string {
  if (agent === null) return facts(task !== null && plain(task, 60), 'Looper')
  return facts(task !== null && plain(task, 60), role, plain(agent, 40), plain(turn ?? '', 80))
}

function bodyOf(event: LogEvent, paint: Paint): string {
  switch (event.type) {
    case 'message':
      return speech(event.content)
    case 'tool_use':
      return paint.faint(`· ${plain(event.name, 60)} ${telling(event.input)}`.trimEnd())
    case 'command':
      return `${paint.busy('$')} ${plain(event.command, 300)}${exitText(event.exitCode, paint)}`
    case 'error':
      return `${paint.bad('✗')} ${speech(event.error)}`
    case 'summary':
      return summaryText(event, paint)
  }
}

function speech(text: string): string {
  const shown = plainBlock(text.length > mostChars ? text.slice(0, mostChars) : text).trim()
  return text.length > mostChars ? `${shown}\n… ${text.length - mostChars} more characters (--json shows them)` : shown
}

const exitText = (code: number | null, paint: Paint): string =>
  code === null ? '' : code === 0 ? ` ${paint.good('→ 0')}` : ` ${paint.bad(`→ ${code}`)}`

function summaryText(
  { role, status, summary, new_tasks: added }: Extract<LogEvent, { type: 'summary' }>,
  paint: Paint,
): string {
  if (role !== null && givesOpinion(role)) return `◆ ${speech(summary) || plain(status, 40)}`
  const mark = status === 'blocked' || status === 'failed' ? paint.warn('!') : paint.good('✓')
  const what = summary === '' ? plain(status, 40) : `${plain(status, 40)}: ${speech(summary)}`
  return `${mark} ${facts(what, added.length > 0 && plural(added.length, 'task'))}`
}

const names = ['file_path', 'filePath', 'path', 'command', 'pattern', 'query', 'url', 'description']

/** The argument of a tool call that best describes it. */
function telling(input: unknown): string {
  if (input === null || input === undefined) return ''
  const values = new Map<string, unknown>(typeof input === 'object' ? Object.entries(input) : [])
  const told = names.map((name) => values.get(name)).find((value) => typeof value === 'string')
  return plain(told ?? JSON.stringify(input) ?? '', 120)
}

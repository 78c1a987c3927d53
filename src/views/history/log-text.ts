/** Prints a log for people: the speaker, then messages, tools, commands and summaries. */
import type { LogEvent } from '../../model/log.ts'
import { givesOpinion } from '../../model/purposes.ts'
import { plural, timeOfDay, utc, type Zone } from '../text/format.ts'
import { wrapLines, type Width } from '../text/rows.ts'
import type { Paint } from '../text/paint.ts'
import { plain, plainBlock } from '../text/plain-text.ts'
import { withErrorWords } from '../facts/error-words.ts'
import { checkReason } from '../facts/check-reason.ts'
import { facts } from '../facts/progress.ts'

/** Longer messages are cut here; the JSON output has them in full. */
const mostChars = 10_000

/** Formats one event after the other; prints the speaker when it changes. */
export function createLogText(
  paint: Paint,
  { zone = utc, width = null }: { zone?: Zone; width?: Width } = {},
): (event: LogEvent) => string {
  let speaker = ''
  return (event) => {
    const who = speakerOf(event)
    const heading = who === speaker ? '' : `${paint.strong(`── ${who}`)}\n`
    speaker = who
    const at = `${timeOfDay(event.timestamp, zone)} `
    const room = width === null ? null : width - at.length
    const [first = '', ...more] = wrapLines(bodyOf(event, paint), room).split('\n')
    const margin = ' '.repeat(at.length)
    const lines = [`${paint.faint(at)}${first}`, ...more.map((line) => `${margin}${line}`)]
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
      return paint.faint(`· ${toolText(event)}`)
    case 'command':
      return `${paint.busy('$')} ${plain(event.command, 300)}${endText(event, paint)}`
    case 'error':
      return `${paint.bad('✗')} ${speech(withErrorWords(event.error))}`
    case 'summary':
      return summaryText(event, paint)
  }
}

function speech(text: string): string {
  const shown = plainBlock(text.length > mostChars ? text.slice(0, mostChars) : text).trim()
  return text.length > mostChars ? `${shown}\n… ${text.length - mostChars} more characters (--json shows them)` : shown
}

/** The exit code, and why Looper ran the command. */
function endText(event: Extract<LogEvent, { type: 'command' }>, paint: Paint): string {
  const { agent, turn } = event
  const reason = agent === null && turn !== null ? checkReason(turn) : ''
  return `${exitText(event.exitCode, paint)}${reason === '' ? '' : ` ${paint.faint(`(${reason})`)}`}`
}

const exitText = (code: number | null, paint: Paint): string =>
  code === null ? '' : code === 0 ? ` ${paint.good('→ 0')}` : ` ${paint.bad(`→ ${code}`)}`

/** The status is what an agent said. */
function markOf(status: string, paint: Paint): string {
  if (status === 'needs_clarification') return paint.warn('?')
  return status === 'blocked' || status === 'failed' ? paint.warn('!') : paint.good('✓')
}

function summaryText(
  { role, status, summary, new_tasks: added }: Extract<LogEvent, { type: 'summary' }>,
  paint: Paint,
): string {
  if (role !== null && givesOpinion(role)) return `◆ ${speech(summary) || plain(status, 40)}`
  const word = status === 'needs_clarification' ? 'asks' : plain(status, 40)
  const what = summary === '' ? word : `${word}: ${speech(summary)}`
  return `${markOf(status, paint)} ${facts(what, added.length > 0 && plural(added.length, 'task'))}`
}

const names = ['file_path', 'filePath', 'path', 'command', 'pattern', 'query', 'url', 'description']

/** A tool call: its name and the argument that describes it best. */
export const toolText = ({ name, input }: Extract<LogEvent, { type: 'tool_use' }>): string =>
  `${plain(name, 60)} ${mainArgument(input)}`.trimEnd()

/** The argument of a tool call that best describes it. */
function mainArgument(input: unknown): string {
  if (input === null || input === undefined) return ''
  const values = new Map<string, unknown>(typeof input === 'object' ? Object.entries(input) : [])
  const named = names.map((name) => values.get(name)).find((value) => typeof value === 'string')
  return plain(named ?? JSON.stringify(input) ?? '', 120)
}

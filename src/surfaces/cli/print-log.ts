/** Prints a log as lines of JSON or as text. */
import type { LogEvent } from '../../api/nouns.ts'
import { jsonText } from '../../views/text/json-text.ts'
import { createLogText } from '../../views/history/log-text.ts'
import type { LogRequest } from '../../api/follow.ts'
import { widthOf, type CliContext } from './context.ts'

/** The options of the commands that print a log. */
export interface LogOptions {
  follow?: boolean
  lines?: string
  task?: string
  type?: string
  json?: boolean
}

export async function printLog(
  { app, io, out, paint }: CliContext,
  run: string | null,
  request: LogRequest,
  json: boolean,
): Promise<void> {
  const text = createLogText(paint, { zone: io.zone, width: widthOf(io) })
  for await (const event of app.logs(run, request)) out.write(json ? `${jsonLine(event)}\n` : text(event))
}

/** Puts the type and the time first. */
function jsonLine({ type, timestamp, ...rest }: LogEvent): string {
  return jsonText({ type, timestamp, ...rest })
}

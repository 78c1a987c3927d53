/** Prints a log as lines of JSON or as text. */
import type { LogEvent } from '../../api/nouns.ts'
import { jsonText } from '../../views/json-text.ts'
import { createLogText } from '../../views/log-text.ts'
import type { LogRequest } from '../../api/follow.ts'
import type { Context } from './context.ts'

export async function printLog(
  { app, out, paint }: Context,
  run: string | null,
  request: LogRequest,
  json: boolean,
): Promise<void> {
  const text = createLogText(paint)
  for await (const event of app.logs(run, request)) out.write(json ? `${jsonLine(event)}\n` : text(event))
}

/** Puts the type and the time first. */
function jsonLine({ type, timestamp, ...rest }: LogEvent): string {
  return jsonText({ type, timestamp, ...rest })
}

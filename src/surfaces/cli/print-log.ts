/** Prints a log: as lines of JSON, or for people. */
import type { LogEvent } from '../../model/log.ts'
import { jsonText } from '../../views/json-text.ts'
import { createLogText } from '../../views/log-text.ts'
import type { LogRequest } from './app.ts'
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

/** What it is and when comes first, whose it is last. */
function jsonLine({ type, timestamp, ...rest }: LogEvent): string {
  return jsonText({ type, timestamp, ...rest })
}

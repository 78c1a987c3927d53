/** Looper's tools for agents: a separate program that speaks MCP on stdio, started by the agent for one turn. */
import { isPurpose } from '../../model/purposes.ts'
import { createLineSplitter } from '../../platform/line-splitter.ts'
import { createAsideTools } from './aside-tools.ts'
import { createReportTool } from './report.ts'
import { createToolServer } from './server.ts'

const maxLineBytes = 8 * 1024 * 1024

const {
  LOOPER_PURPOSE: purpose = '',
  LOOPER_RESULT_FILE: resultFile,
  LOOPER_RESULT_SCHEMA: schemaFile,
  LOOPER_OUTBOX: outbox,
} = process.env
if (!isPurpose(purpose) || !resultFile || !schemaFile || !outbox) {
  process.stderr.write(
    'Started by agents during a turn of Looper, with LOOPER_PURPOSE, _RESULT_FILE, _RESULT_SCHEMA and _OUTBOX set.\n',
  )
  process.exit(2)
}

const answer = createToolServer([
  await createReportTool({ purpose, resultFile, schemaFile }),
  ...(await createAsideTools(purpose, outbox)),
])
const lines: string[] = []
// A line that is too long is answered like any other invalid JSON.
const splitter = createLineSplitter(
  maxLineBytes,
  (line) => lines.push(line),
  () => lines.push('a line too long'),
)
const reply = async (): Promise<void> => {
  for (const line of lines.splice(0)) {
    const text = await answer(line)
    if (text !== null) process.stdout.write(`${text}\n`)
  }
}

// The agent has closed its end, so no reader is left.
process.stdout.on('error', () => process.exit(0))
for await (const chunk of process.stdin) {
  splitter.push(chunk as Buffer)
  await reply()
}
splitter.end()
await reply()

/**
 * Makes an agent's stream of a given size, or follows one as a turn does, and says how long and how much memory that
 * took.
 */
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createMask } from '../../src/agents/mask.ts'
import { createProtocolParser } from '../../src/agents/protocol/protocol-parser.ts'
import { defaultOutputLimits, openOutput } from '../../src/dispatch/output.ts'
import type { TurnFolder } from '../../src/dispatch/turn-folder.ts'
import { tuneMemory } from '../../src/platform/memory-tuning.ts'

const [, , order, path = '', megabytes = ''] = process.argv
const folder: TurnFolder = {
  path,
  prompt: join(path, 'prompt.md'),
  stream: join(path, 'stream'),
  stderr: join(path, 'stderr'),
  result: join(path, 'result.json'),
  process: join(path, 'process.json'),
  outbox: join(path, 'outbox.jsonl'),
  end: join(path, 'ended.json'),
}

if (order === 'make') make(Number(megabytes) * 1024 * 1024)
else await follow()

/** What agents say most: text, tools with files in them, and now and then what it cost. */
function make(bytes: number): void {
  const events = [
    {
      type: 'message',
      text: 'Now the tests: they cover the empty list, the single entry and the order of "equal" ones.\n'.repeat(3),
    },
    {
      type: 'tool_use',
      name: 'edit',
      input: { path: 'src/list.ts', content: 'export const first = (list: string[]) => list[0]\n'.repeat(20) },
    },
    { type: 'command', command: 'npm test -- --reporter=dot', exitCode: 0 },
    { type: 'message', text: 'Alles grün – weiter mit der Dokumentation. 完成' },
    { type: 'usage', inputTokens: 1200, outputTokens: 340, costUsd: 0.01 },
  ]
  const block = Buffer.from(
    events
      .map((event) => `${JSON.stringify(event)}\n`)
      .join('')
      .repeat(500),
  )
  const file = openSync(folder.stream, 'w')
  for (let done = 0; done < bytes; done += block.length) writeSync(file, block)
  closeSync(file)
  console.log(JSON.stringify({ bytes }))
}

/** As the engine does, which keeps its heap small. */
async function follow(): Promise<void> {
  tuneMemory()
  const parser = createProtocolParser()
  const output = openOutput(
    { folder, parser, mask: createMask({}, []) },
    { ...defaultOutputLimits, totalBytes: Infinity },
  )
  const begun = performance.now()
  await output.readAll()
  const ms = performance.now() - begun
  output.close()
  console.log(JSON.stringify({ ms, peakMb: process.resourceUsage().maxRSS / 1024, usage: parser.usage() }))
}

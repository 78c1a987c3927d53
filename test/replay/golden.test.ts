/**
 * Runs recorded by earlier versions, decided again by this one. Where that comes out differently, `journals/<name>.txt`
 * changes: look whether you meant it, then accept it with `npx vitest run test/replay --update`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { decodeEvent } from '../../src/journal/line.ts'
import type { Event } from '../../src/model/event.ts'
import { replay } from '../../src/replay/replay.ts'
import { replayText } from '../../src/replay/replay-text.ts'

const folder = join(import.meta.dirname, 'journals')
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.jsonl'))
  .map((name) => name.replace('.jsonl', ''))

test.each(names)('%s', async (name) => {
  const lines = readFileSync(join(folder, `${name}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n')
  const events = lines.map((line) => decodeEvent(Buffer.from(line)))
  expect(events.filter((event) => typeof event === 'string')).toEqual([])
  const report = { run: name, ...replay(events as Event[]), files: null }
  await expect(replayText(report)).toMatchFileSnapshot(join(folder, `${name}.txt`))
})

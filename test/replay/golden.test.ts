/**
 * Runs recorded by earlier versions, decided again by this one. Where that comes out differently, `journals/<name>.txt`
 * changes: look whether you meant it, then accept it with `npx vitest run test/replay --update`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createScanner, start } from '../../src/journal/scan.ts'
import type { Event } from '../../src/model/event.ts'
import { frozen } from '../../src/model/frozen.ts'
import { replay } from '../../src/replay/replay.ts'
import { replayText } from '../../src/views/history/replay-text.ts'

const folder = join(import.meta.dirname, 'journals')
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.jsonl'))
  .map((name) => name.replace('.jsonl', ''))

test.each(names)('%s', async (name) => {
  const events: Event[] = []
  const scanner = createScanner(start, (event) => events.push(event))
  scanner.push(readFileSync(join(folder, `${name}.jsonl`)))
  expect(scanner.damage).toBeNull()
  const report = { run: name, ...replay(frozen(events)), files: null }
  await expect(replayText(report)).toMatchFileSnapshot(join(folder, `${name}.txt`))
})

/**
 * Journals of earlier versions stay readable: each is read from its file and folded without a change to its events, and
 * `journals/<name>.status.txt` shows its status, for people and as JSON.
 */
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readState } from '../../src/app/runs/read-run.ts'
import { runIn } from '../../src/app/runs/runs.ts'
import { evolve } from '../../src/core/evolve.ts'
import { initialState } from '../../src/core/initial.ts'
import { readEvents } from '../../src/journal/read-events.ts'
import { frozen } from '../../src/model/frozen.ts'
import { statusText } from '../../src/views/status/status-text.ts'
import { statusView } from '../../src/views/status/status.ts'

const folder = join(import.meta.dirname, 'journals')
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.jsonl'))
  .map((name) => name.replace('.jsonl', ''))

test.each(names)('%s', async (name) => {
  const dir = mkdtempSync(join(tmpdir(), 'looper-status-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  copyFileSync(join(folder, `${name}.jsonl`), join(dir, 'events.jsonl'))
  const state = await readState(runIn(dir))
  const { events } = await readEvents(dir)
  expect(frozen(events).reduce(evolve, initialState())).toEqual(state)
  const text = statusText(state, { live: false, now: state.lastAt })
  const json = JSON.stringify(statusView(state, { live: false }), null, 2)
  await expect(`${text}\n${json}\n`).toMatchFileSnapshot(join(folder, `${name}.status.txt`))
})

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { failedRun, limitedRun } from '../../test/kit/runs.ts'
import { sampleBytes } from '../../test/kit/sample-events.ts'
import type { Event } from '../model/event.ts'
import { events } from './events.ts'
import { runFolder } from './run-folder.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'looper-events-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const keep = (known: readonly Event[]): void => {
  const dir = runFolder(root, '001-x')
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, 'events.jsonl'), sampleBytes(known))
}

test('following a run that is over ends with what there is', async () => {
  const { events: known } = failedRun()
  keep(known)
  const seen: Event[] = []
  for await (const event of events(root, '001-x', { follow: true, last: 3, signal: new AbortController().signal }))
    seen.push(event)
  expect(seen).toEqual(known.slice(-3))
})

test.each([
  ['paused', limitedRun],
  ['resumed after it had failed', () => failedRun().tell({ type: 'run.resumed', limits: {} })],
])('a run that is %s may go on, so it is waited for', async (_, played) => {
  const { events: known } = played()
  keep(known)
  const stop = new AbortController()
  const following = events(root, '001-x', { follow: true, last: 1, signal: stop.signal })
  expect((await following.next()).value).toEqual(known.at(-1))
  const next = following.next()
  expect(await Promise.race([next, new Promise((resolve) => setTimeout(resolve, 50, 'waiting'))])).toBe('waiting')
  stop.abort()
  expect((await next).done).toBe(true)
})

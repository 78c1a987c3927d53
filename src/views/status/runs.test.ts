import { expect, test } from 'vitest'
import { sampleState, sampleTask } from '../../../test/kit/state.ts'
import { columns } from '../text/columns.ts'
import { ansiPaint } from '../text/paint.ts'
import { runRow, runsText, type RunRow } from './runs.ts'

const now = '2026-03-01T12:10:00.000Z'
const hostile = '\u001B[31m<b>"T"</b>\n# x'
const tasks = [
  sampleTask({ id: 'T001', status: 'done' }),
  sampleTask({ id: 'T002', status: 'failed' }),
  sampleTask({ id: 'T003', status: 'split' }),
]

const row = (changes: Partial<RunRow> = {}): RunRow => ({
  ...runRow(
    sampleState({ tasks, status: 'failed', reason: '1 of 2 tasks failed', endedAt: '2026-03-01T10:09:00.000Z' }),
    { live: false },
  ),
  ...changes,
})

const rows = [
  row(),
  row({
    id: '002-x',
    status: 'crashed',
    reason: '/home/me/x/.looper/runs/002-x/events.jsonl is damaged at event 5: not JSON',
    goal: hostile,
    startedAt: '',
  }),
  row({
    id: '003-parse-durations-say',
    status: 'completed',
    reason: null,
    unverified: true,
    goal: 'Parse durations and more',
    tasks: { done: 12, total: 12 },
    usage: { costUsd: 0, inputTokens: 15_000, outputTokens: 1_000 },
    startedAt: '2026-02-20T10:00:00.000Z',
    applied: { commit: 'c1', onto: 'main', at: now },
    discardedAt: now,
  }),
  row({
    id: '004-y',
    status: 'new',
    reason: null,
    tasks: { done: 0, total: 0 },
    usage: { costUsd: 0, inputTokens: 0, outputTokens: 0 },
  }),
]

test('a row for programs', () => {
  expect(row()).toEqual({
    id: '001-add-auth',
    goal: 'Add authentication',
    workflow: 'supervised',
    status: 'failed',
    reason: '1 of 2 tasks failed',
    unverified: false,
    tasks: { done: 1, total: 2 },
    usage: { inputTokens: 12_000, outputTokens: 3_000, costUsd: 0.42 },
    startedAt: '2026-03-01T10:00:00.000Z',
    endedAt: '2026-03-01T10:09:00.000Z',
    applied: null,
    discardedAt: null,
    agents: [],
  })
})

test('rows for people show the state of each run', () => {
  expect(runsText(rows, { now, width: null })).toMatchInlineSnapshot(`
    "run                      state                                                  tasks  spent         age  goal
    001-add-auth             failed · 1 of 2 tasks failed                           1/2    $0.42         2h   Add authentication
    002-x                    crashed · its journal is damaged at event 5: not JSON  1/2    $0.42         ?    <b>"T"</b> # x
    003-parse-durations-say  completed · unverified · applied · discarded           12/12  16.0k tokens  9d   Parse durations and more
    004-y                    new                                                    –      –             2h   Add authentication
    "
  `)
  expect(runsText(rows, { now, width: 80 })).toMatchInlineSnapshot(`
    "run           state                 tasks  spent         age  goal
    001-add-auth  failed · 1 of 2 tas…  1/2    $0.42         2h   Add authentication
    002-x         crashed · its journ…  1/2    $0.42         ?    <b>"T"</b> # x
    003-parse-d…  completed · unverif…  12/12  16.0k tokens  9d   Parse durations a…
    004-y         new                   –      –             2h   Add authentication
    "
  `)
  expect(runsText([], { now, width: 80 })).toBe('No runs yet. Start one: looper run "what you want"\n')
})

test('a line never wraps on any terminal, and color changes only the color', () => {
  for (let width = 1; width <= 200; width++) {
    const text = runsText(rows, { now, width })
    const lines = text.trimEnd().split('\n')
    expect(lines).toHaveLength(rows.length + 1)
    for (const line of lines) expect(columns(line)).toBeLessThanOrEqual(width)
    expect(
      runsText(rows, { now, width, paint: ansiPaint })
        .replaceAll('\u001B', '')
        .replace(/\[\d+m/g, '')
        .replace(/ +$/gm, ''),
    ).toBe(text)
  }
})

test('each run is named by its number on the narrowest terminal', () => {
  for (const [index, line] of runsText(rows, { now, width: 40 }).trimEnd().split('\n').slice(1).entries()) {
    expect(line).toMatch(new RegExp(`^00${index + 1}-`))
  }
})

test('a wide terminal shows when each run started, in local time', () => {
  const wide = runsText([row()], { now, width: 120, zone: () => 60 })
  expect(wide).toMatch(/ started +goal\n.* 2026-03-01 11:00 \+01:00 {2}Add authentication\n$/)
  expect(runsText([row()], { now, width: 100, zone: () => 60 })).toMatch(/ age +goal\n/)
})

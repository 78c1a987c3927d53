import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { chooseTurn, matches, type Situation } from './choose.js'
import type { Match, Script } from './script.js'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'looper-choose-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const now: Situation = {
  role: 'coder',
  purpose: 'implement',
  task: 'T002',
  attempt: 1,
  turn: 'T002/a1',
  prompt: 'T002: Parse flags\nafter T001\n\nOther tasks:\n- T001: Read files\n- T003: Write docs, after T001, T002\n',
}
const entry = (label: string, match: Match = {}, times = Infinity) => ({
  match,
  times,
  steps: [{ kind: 'message', value: label }],
})

function play(script: Script, turns: readonly Partial<Situation>[], name = 's.yaml'): unknown[] {
  return turns.map(
    (turn) => chooseTurn(script, { ...now, ...turn }, name, join(folder, 'state'))?.steps[0]?.value ?? null,
  )
}

describe('matching', () => {
  test.each<[Match, boolean]>([
    [{}, true],
    [{ role: 'coder', purpose: 'implement', attempt: 1 }, true],
    [{ role: 'planner' }, false],
    [{ purpose: 'fix' }, false],
    [{ attempt: 2 }, false],
    [{ task: 'T002' }, true],
    [{ task: 'T001' }, false],
    [{ task: 'Parse flags' }, true],
    [{ task: 'Read files' }, false],
    [{ task: 'Write docs' }, false],
    [{ prompt: 'Other tasks' }, true],
    [{ prompt: 'feedback' }, false],
  ])('%j: %s', (match, expected) => {
    expect(matches(match, now)).toBe(expected)
  })
})

test('the first entry that fits wins', () => {
  expect(
    play({ turns: [entry('no', { role: 'tester' }), entry('yes', { role: 'coder' }), entry('later')] }, [{}]),
  ).toEqual(['yes'])
})

test('nth counts the turns that fit, times limits how many take an entry', () => {
  const script = { turns: [entry('second', { nth: 2 }), entry('once', { role: 'coder' }, 1), entry('rest')] }
  expect(play(script, [{ turn: 'a' }, { turn: 'b' }, { turn: 'c' }, { turn: 'd' }])).toEqual([
    'once',
    'second',
    'rest',
    'rest',
  ])
})

test('the same turn played again gets the same entry and counts once', () => {
  const script = { turns: [entry('first', {}, 1), entry('second', {}, 1)] }
  expect(play(script, [{ turn: 'a' }, { turn: 'a' }, { turn: 'b' }, { turn: 'a' }, { turn: 'c' }])).toEqual([
    'first',
    'first',
    'second',
    'first',
    null,
  ])
})

test('two scripts of one run count apart', () => {
  const script = { turns: [entry('first', {}, 1)] }
  expect(play(script, [{ turn: 'a' }], 'one.yaml')).toEqual(['first'])
  expect(play(script, [{ turn: 'b' }], 'two.yaml')).toEqual(['first'])
  expect(play(script, [{ turn: 'c' }], 'two.yaml')).toEqual([null])
})

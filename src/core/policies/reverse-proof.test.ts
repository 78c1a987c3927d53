import { describe, expect, test } from 'vitest'
import type { TamperFinding } from '../../model/tamper.ts'
import { isAllowed } from './permission.ts'
import { readReverse, type ReverseRun } from './reverse-outcome.ts'
import { judgeReverse, type ReverseProof } from './reverse-proof.ts'

const found = (kind: TamperFinding['kind'], test: string | null, file = 'test/a.test.js'): TamperFinding => ({
  kind,
  file,
  test,
  detail: 'x',
})
const tests = (...names: string[]): ReverseProof['touches'] => ({ tests: names, data: [], machinery: [] })

type Given = Partial<Omit<ReverseProof, 'asked'>> & Partial<ReverseProof['asked']>
const proofOf = ({ words = ['Add a feature'], files = [], allows = [], ...rest }: Given): ReverseProof => ({
  findings: [],
  touches: tests('test/a.test.js'),
  outcome: { kind: 'green' },
  executed: { base: null, candidate: null },
  ...rest,
  asked: { words, files, allows },
})
const red = (...failing: string[]): ReverseProof['outcome'] => ({ kind: 'red', failing })

const table: [what: string, given: Given, severity: 'BLOCKER' | 'WARNING' | null][] = [
  ['green, nothing seen', {}, null],
  ['green, the guard saw something', { findings: [found('test-deleted', 'sum > adds')] }, 'WARNING'],
  ['green, a test no longer runs', { executed: { base: ['a', 'b'], candidate: ['a'] } }, 'WARNING'],
  ['red, edited and kept', { outcome: red('test/a.test.js › adds') }, 'WARNING'],
  [
    'red in the test that was deleted',
    { outcome: red('test/a.test.js › adds'), findings: [found('test-deleted', 'sum > adds')] },
    'BLOCKER',
  ],
  [
    'red in a case of a table that was deleted',
    { outcome: red('1 and 2'), findings: [found('test-deleted', 'add > %i and ${b}')] },
    'BLOCKER',
  ],
  [
    'red in another test than the one that was deleted',
    { outcome: red('test/a.test.js › subtracts'), findings: [found('test-deleted', 'sum > adds')] },
    'WARNING',
  ],
  [
    'red in a group that is skipped',
    { outcome: red('sum › adds'), findings: [found('test-skipped', 'sum')] },
    'BLOCKER',
  ],
  [
    'red, with a weaker check',
    { outcome: red('adds'), findings: [found('check-changed', null, 'package.json')] },
    'BLOCKER',
  ],
  [
    'red, with lower CI alone',
    { outcome: red('adds'), findings: [{ ...found('ci-lowered', null, '.github/workflows/ci.yml'), aside: true }] },
    'WARNING',
  ],
  [
    'red without names, the guard saw something',
    { outcome: { kind: 'red', failing: null }, findings: [found('assertions-removed', 'adds')] },
    'BLOCKER',
  ],
  ['red without names', { outcome: { kind: 'red', failing: null } }, 'WARNING'],
  [
    'red, a file of tests is gone',
    { outcome: red('test/a.test.js › adds'), findings: [found('test-deleted', null)] },
    'BLOCKER',
  ],
  [
    'red, another file of tests is gone',
    { outcome: red('test/b.test.js › adds'), findings: [found('test-deleted', null)] },
    'WARNING',
  ],
  [
    'red, and it no longer runs',
    { outcome: red('case 2'), executed: { base: ['case 1', 'case 2'], candidate: ['case 1'] } },
    'BLOCKER',
  ],
  [
    'red, and it may have another name',
    { outcome: red('case 2'), executed: { base: ['case 1', 'case 2'], candidate: ['case 1', 'case two'] } },
    'WARNING',
  ],
  [
    'red, only settings changed',
    { outcome: red('adds'), touches: { tests: [], data: [], machinery: ['.npmrc'] } },
    'BLOCKER',
  ],
  [
    'red, only new files of tests came',
    { outcome: red('adds'), touches: { ...tests('main_test.go'), fresh: ['main_test.go'] } },
    'BLOCKER',
  ],
  [
    'red, new files of tests came beside changed ones',
    { outcome: red('adds'), touches: { ...tests('a_test.go', 'b_test.go'), fresh: ['b_test.go'] } },
    'WARNING',
  ],
  [
    'red, a function that tests call asserts less',
    { outcome: red('adds'), findings: [{ ...found('assertion-weakened', 'same'), helper: true }] },
    'BLOCKER',
  ],
  [
    'red, only a fixture changed',
    { outcome: red('adds'), touches: { tests: [], data: ['test/a.json'], machinery: [] } },
    'WARNING',
  ],
  [
    'red, settings changed, as the task asks',
    {
      outcome: red('adds'),
      touches: { tests: [], data: [], machinery: ['.npmrc'] },
      words: ['Change the configuration'],
    },
    'WARNING',
  ],
  [
    'red, deleted, as the task asks',
    { outcome: red('adds'), findings: [found('test-deleted', 'adds')], words: ['Remove the old tests'] },
    'WARNING',
  ],
  [
    'red, deleted, as a permission allows',
    { outcome: red('adds'), findings: [found('test-deleted', 'adds')], allows: ['remove-tests:test/**'] },
    'WARNING',
  ],
  [
    'red, deleted, and the permission is for other files',
    { outcome: red('adds'), findings: [found('test-deleted', 'adds')], allows: ['remove-tests:old/**'] },
    'BLOCKER',
  ],
  [
    'not runnable, the guard saw something',
    { outcome: { kind: 'not-runnable', why: 'x' }, findings: [found('test-deleted', 'adds')] },
    'BLOCKER',
  ],
  [
    'not runnable, lower CI alone',
    { outcome: { kind: 'not-runnable', why: 'x' }, findings: [{ ...found('ci-lowered', null), aside: true }] },
    'WARNING',
  ],
  [
    "green, but the run's own settings ask for less",
    { findings: [found('check-changed', null, '.looper/config.json')] },
    'BLOCKER',
  ],
  ['not runnable, nothing seen', { outcome: { kind: 'not-runnable', why: 'x' } }, 'WARNING'],
]

test.each(table)('%s', (_what, given, severity) => expect(judgeReverse(proofOf(given)).severity).toBe(severity))

test('a BLOCKER names the test and how to proceed', () => {
  const { lines, tests: failing } = judgeReverse(
    proofOf({ outcome: red('test/a.test.js › adds'), findings: [found('test-deleted', 'adds')] }),
  )
  expect(failing).toEqual(['test/a.test.js › adds'])
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "test/a.test.js › adds: test deleted (x), and the base's version fails with the code of this change
    If this is intended: ask for it in the goal or in a task of yours, allow it with \`allows: remove-tests:<glob>\`, or run with \`--guard warn\`."
  `)
})

test('one test is listed once, and needs one permission, which is enough', () => {
  const name = 'test/a.test.js › adds'
  const given: Given = {
    outcome: red(name),
    findings: [found('test-skipped', 'adds')],
    executed: { base: [name, 'subtracts'], candidate: ['subtracts'] },
  }
  const { lines, needs } = judgeReverse(proofOf(given))
  expect(lines.filter((line) => line.includes('adds'))).toEqual([
    "test/a.test.js › adds: test skipped (x), and the base's version fails with the code of this change",
  ])
  expect(needs).toEqual(['skip-tests:test/a.test.js'])
  expect(judgeReverse(proofOf({ ...given, allows: needs })).severity).toBe('WARNING')
})

test('a test that no longer runs is named with its file once', () => {
  const name = 'test/a.test.js › case 2'
  const { lines } = judgeReverse(proofOf({ outcome: red(name), executed: { base: [name], candidate: [] } }))
  expect(lines.filter((line) => line.includes('case 2'))).toEqual([
    `${name}: test deleted (it no longer runs), and the base's version fails with the code of this change`,
  ])
})

test('names removed tests', () => {
  expect(judgeReverse(proofOf({ executed: { base: ['a', 'b'], candidate: ['a', 'c'] } })).lines).toEqual([
    'tests of the base that no longer run: b',
  ])
})

describe('what the checks said', () => {
  const run = (outcome: Partial<ReverseRun['outcome']>, base?: string[]): ReverseRun => ({
    name: 'test',
    outcome: { exitCode: 1, timedOut: false, started: true, tests: 3, tail: '', ...outcome },
    ...(base ? { base } : {}),
  })
  const outcomes: [what: string, runs: ReverseRun[], kind: string, failing?: string[] | null][] = [
    ['none', [], 'green'],
    ['a build that failed', [run({ failing: ['example.com/a [build failed]', 'exit 2'] })], 'not-runnable'],
    ['a code of its own', [run({ failing: ['exit 2'] })], 'red', ['exit 2']],
    ['green', [run({ exitCode: 0 })], 'green'],
    ['no tests', [run({ exitCode: 0, tests: 0 })], 'not-runnable'],
    ['no program', [run({ exitCode: 127 })], 'not-runnable'],
    ['no end', [run({ timedOut: true })], 'not-runnable'],
    ['named', [run({ failing: ['test/a.test.js › adds'] })], 'red', ['test/a.test.js › adds']],
    ['unnamed', [run({})], 'red', null],
    [
      'unnamed, and the code does not fit',
      [run({ tests: null, tail: 'Error: Cannot find module ./a' })],
      'not-runnable',
    ],
    ['a file that does not load', [run({ failing: ['test/a.test.js'] })], 'not-runnable'],
    [
      'one does not load, a test fails',
      [run({ failing: ['test/a.test.js', 'test/b.test.js › adds'] })],
      'red',
      ['test/b.test.js › adds'],
    ],
    ['as on the base', [run({ failing: ['adds'] }, ['adds'])], 'green'],
    ['red beside one that cannot run', [run({ exitCode: 127 }), run({ failing: ['adds'] })], 'red', ['adds']],
    ['green beside one that cannot run', [run({ exitCode: 0 }), run({ exitCode: 127 })], 'not-runnable'],
  ]
  test.each(outcomes)('%s', (_what, runs, kind, failing) => {
    expect(readReverse(runs)).toMatchObject(failing === undefined ? { kind } : { kind, failing })
  })
})

test.each([
  [['remove-tests'], 'a/b.js', true],
  [['remove-tests:a/*.js'], 'a/b.js', true],
  [['remove-tests:a/*.js'], 'a/b/c.js', false],
  [['remove-tests:a'], 'a/b/c.js', true],
  [['remove-tests:**/c.js'], 'a/b/c.js', true],
  [['remove-tests:**/c.js'], 'c.js', true],
  [['skip-tests'], 'a/b.js', false],
  [['remove-tests: a/ '], 'a/b.js', true],
])('%j allows a test in %s to go: %s', (allows, file, expected) =>
  expect(isAllowed(allows, { kind: 'test-deleted', file })).toBe(expected),
)

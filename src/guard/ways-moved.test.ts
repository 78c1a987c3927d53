/** Tests that move to where no check runs them, or are deleted with their subject. */
import { describe, expect, test } from 'vitest'
import { go, py, rust, ts } from '../../test/kit/sample-tests.ts'
import type { ChangedFile } from '../model/tamper.ts'
import { guard } from './guard.ts'

test('F13: a Go test moved to a file that `go test` ignores is gone', () => {
  const moved = (path: string): ChangedFile[] => [
    { path: 'calc_test.go', before: go, after: null },
    { path, before: null, after: go },
  ]
  for (const path of ['testdata/calc_test.go', '_old/calc_test.go', 'calc_plan9_test.go'])
    expect(guard.compare(moved(path)).findings[0]?.kind, path).toBe('test-deleted')
  expect(guard.compare(moved('calc/calc_test.go')).findings).toEqual([])
})

describe('F13: tests that move to where the runner of a check does not look', () => {
  const look = (from: string, to: string, checks: string[], ...beside: ChangedFile[]) =>
    guard
      .compare(
        [
          { path: from, before: from.endsWith('.py') ? py : ts, after: null },
          { path: to, before: null, after: from.endsWith('.py') ? py : ts },
          ...beside,
        ],
        checks,
      )
      .findings.map(({ kind, file }) => `${kind} ${file}`)
  const beside = (path: string, text: string): ChangedFile => ({ path, before: text, after: text })
  const manifest = (test: string): ChangedFile => beside('package.json', JSON.stringify({ scripts: { test } }))
  const config = (include: string): ChangedFile =>
    beside('vitest.config.ts', `export default defineConfig({ test: { include: [${include}] } })`)
  test.each<[from: string, to: string, checks: string[], ...beside: ChangedFile[]]>([
    ['src/a.test.ts', 'disabled/a.test.ts', []],
    ['src/a.test.ts', 'src/__disabled__/a.test.ts', ['npx vitest run']],
    ['test_a.py', 'tests/quarantine/test_a.py', []],
    ['src/a.test.ts', 'more/a.test.ts', ['npx vitest run src']],
    ['src/a.test.ts', 'more/a.test.ts', ['npm test'], manifest('vitest run src/')],
    ['tests/test_a.py', 'more/test_a.py', ['python -m pytest tests/ -q']],
    ['test/a.test.ts', 'old/a.test.ts', ['npm test'], manifest("tsc && mocha 'test/**/*.test.ts'")],
    ['src/a.test.ts', 'more/a.test.ts', ['npx vitest run'], config("'src/**/*.test.ts', 'test/**/*.test.ts'")],
    ['src/a.test.ts', 'test/a.ts', ['npm test'], manifest('vitest run')],
  ])('%s → %s: %s', (from, to, ...rest) => {
    expect(new Set(look(from, to, ...rest))).toEqual(new Set([`test-deleted ${from}`]))
  })
  test.each<[from: string, to: string, checks: string[], ...beside: ChangedFile[]]>([
    ['src/a.test.ts', 'test/a.test.ts', []],
    ['src/a.test.ts', 'test/a.test.ts', ['npx vitest run']],
    ['src/a.test.ts', 'src/more/a.test.ts', ['npx vitest run src']],
    ['src/a.test.ts', 'test/a.test.ts', ['npx vitest run src test']],
    ['src/a.test.ts', 'more/a.test.ts', ['npx vitest run src', 'sh check.sh']],
    ['tests/a.test.ts', 'src/a.test.ts', ['pytest tests', 'node --test']],
    ['src/a.test.ts', 'test/a.ts', ['node --test']],
    ['src/a.test.ts', 'more/a.test.ts', ['npx vitest run'], config("'**/*.test.ts'")],
    ['src/a.test.ts', 'test/a.ts', ['npx vitest run'], config("'src/**/*.test.ts', 'test/**/*.ts'")],
    [
      'src/a.test.ts',
      'src/disabled/a.test.ts',
      ['npx vitest run'],
      { path: 'src/disabled/math.ts', before: null, after: 'export const add = 1\n' },
    ],
    [
      'src/a.test.ts',
      'test/a.test.ts',
      ['npm test'],
      {
        path: 'package.json',
        before: '{"scripts":{"test":"vitest run src"}}',
        after: '{"scripts":{"test":"vitest run test"}}',
      },
    ],
  ])('no alarm: %s → %s: %s', (from, to, ...rest) => {
    expect(look(from, to, ...rest)).toEqual([])
  })
  test('assertions in such a test compensate for nothing', () => {
    const [first, second] = [
      "it('adds', () => {\n  expect(add(1, 2)).toBe(3)\n})\n",
      "it('divides', () => {\n  expect(divide(6, 3)).toBe(2)\n})\n",
    ]
    const moved = (to: string) =>
      guard.compare([
        { path: 'a.test.ts', before: first + second, after: first },
        {
          path: to,
          before: null,
          after: `it('counts', () => {\n  expect(count()).toBe(1)\n  expect(sum(9, 8)).toBe(4)\n  expect(divide(6, 3)).toBe(2)\n})\n`,
        },
      ]).findings
    expect(moved('b.test.ts')).toEqual([])
    expect(moved('disabled/b.test.ts')).toMatchObject([{ kind: 'test-deleted', test: 'divides' }])
  })
  test('tests of Rust are run wherever they stand', () => {
    expect(
      guard.compare([
        { path: 'tests/lib.rs', before: rust, after: null },
        { path: 'src/lib.rs', before: null, after: rust },
      ]).findings,
    ).toEqual([])
  })
})

test('F13: a test deleted with its subject is reported with that subject', () => {
  const before =
    "import { parse } from './legacy-parser.ts'\nit('parses', () => { expect(parse('a')).toEqual(['a']) })\n"
  const both = [
    { path: 'src/legacy-parser.test.ts', before, after: null },
    { path: 'src/legacy-parser.ts', before: 'export const parse = 1\n', after: null },
  ]
  expect(guard.compare(both).findings).toMatchObject([{ kind: 'test-deleted', subject: 'src/legacy-parser.ts' }])
  expect(
    guard.compare([...both.slice(0, 1), { path: 'src/other.ts', before: 'a', after: null }]).findings[0],
  ).not.toHaveProperty('subject')
})

test('F13: a helper that is no longer awaited asserts nothing', () => {
  const helper = 'async function has(id) {\n  const data = await load(id)\n  expect(data.id).toBe(id)\n}\n'
  const suite = (call: string): string => `${helper}it('loads', async () => {\n  ${call}\n})\n`
  const judge = (after: string) =>
    guard
      .compare([{ path: 'a.test.ts', before: suite('await has(1)'), after: suite(after) }])
      .findings.map(({ kind }) => kind)
  expect(judge('has(1)')).toEqual(['assertions-removed'])
  for (const honest of ['return has(1)', 'await Promise.all([has(1)])', 'const done = has(1)\n  await done'])
    expect(judge(honest), honest).toEqual([])
})

describe('F13: a test deleted with its function is reported with that function', () => {
  const tests =
    "import { parse, write } from './text.ts'\nit('parses', () => { expect(parse('a')).toEqual(['a']) })\nit('writes', () => { expect(write(['a'])).toBe('a') })\n"
  const code = 'export function parse(text) { return [...text] }\nexport const write = (all) => all.join()\n'
  const rest = tests.replace('parse, ', '').replace(/it\('parses'.*\n/, '')
  const subjects = (...files: ChangedFile[]) =>
    guard.compare(files).findings.map(({ kind, test: name, subject }) => [kind, name, subject])
  const test_ = (before = tests, after = rest): ChangedFile => ({ path: 'src/text.test.ts', before, after })
  const source = (after: string): ChangedFile => ({ path: 'src/text.ts', before: code, after })
  test('gone with it', () => {
    expect(subjects(test_(), source(code.replace(/.*parse.*\n/, '')))).toEqual([['test-deleted', 'parses', 'parse']])
    const [python, calc] = [
      'from calc import add, take\n\ndef test_adds():\n    assert add(1, 2) == 3\n\ndef test_takes():\n    assert take(2, 1) == 1\n',
      'def add(a, b):\n    return a + b\n\ndef take(a, b):\n    return a - b\n',
    ]
    expect(
      subjects(
        {
          path: 'test_calc.py',
          before: python,
          after: python.replace('add, ', '').replace(/def test_adds[^]*?\n\n/, ''),
        },
        { path: 'calc.py', before: calc, after: calc.replace(/def add[^]*?\n\n/, '') },
      ),
    ).toEqual([['test-deleted', 'test_adds', 'add']])
  })
  test('still there, renamed or used, or not alone in it', () => {
    const none = [['test-deleted', 'parses', undefined]]
    expect(subjects(test_())).toEqual(none)
    expect(subjects(test_(), source(`${code}\n`))).toEqual(none)
    expect(
      subjects(test_(), source(code.replace(/.*parse.*\n/, '')), {
        path: 'src/main.ts',
        before: 'parse()\n',
        after: 'parse(1)\n',
      }),
    ).toEqual(none)
    expect(
      subjects(test_(tests.replace("parse('a')", "parse(write(['a']))")), source(code.replace(/.*parse.*\n/, ''))),
    ).toEqual(none)
  })
})

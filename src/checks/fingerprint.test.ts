import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tries } from '../../test/kit/seed.ts'
import { fingerprint } from './fingerprint.ts'

const word = fc.stringMatching(/^[a-z]{3,10}$/)
const two = (value: number): string => String(value).padStart(2, '0')

/** What differs between two runs of the same check. */
const circumstances = fc.record({
  root: fc
    .tuple(
      fc.constantFrom('/home', '/tmp', '/Users', '/var/folders/x1/T', '/work'),
      fc.array(word, { minLength: 1, maxLength: 4 }),
    )
    .map(([top, names]) => [top, ...names].join('/')),
  temporary: fc.stringMatching(/^[A-Za-z0-9]{6}$/).map((random) => `/tmp/looper-${random}`),
  ms: fc.oneof(
    fc.nat(999).map((n) => `${n}ms`),
    fc.integer({ min: 1, max: 5_000 }).map((n) => `${n / 100}s`),
    fc.constant('1m 2s'),
  ),
  clock: fc.tuple(fc.nat(23), fc.nat(59), fc.nat(59)).map((parts) => parts.map(two).join(':')),
  date: fc
    .tuple(fc.integer({ min: 2000, max: 2099 }), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 28 }))
    .map(([y, m, d]) => `${y}-${two(m)}-${two(d)}`),
  uuid: fc.uuid(),
  address: fc.nat().map((n) => `0x${n.toString(16)}`),
  pid: fc.nat(4_000_000),
  port: fc.integer({ min: 1024, max: 65_535 }),
  line: fc.integer({ min: 1, max: 9_999 }),
  column: fc.integer({ min: 1, max: 200 }),
  percent: fc.nat(100),
  run: fc.tuple(fc.nat(999), word).map(([n, slug]) => `${String(n).padStart(3, '0')}-${slug}`),
  task: fc
    .tuple(fc.integer({ min: 1, max: 999 }), fc.boolean())
    .map(([n, child]) => `T${String(n).padStart(3, '0')}${child ? '.1' : ''}`),
  passed: fc.nat(50),
  color: fc.boolean(),
})
type Circumstances = typeof circumstances extends fc.Arbitrary<infer T> ? T : never

const report = (c: Circumstances, message: string): string =>
  [
    `> test\n> vitest run\n\n RUN  v4.1.12 ${c.root}`,
    ...Array.from({ length: c.passed }, (_, index) => ` ✓ src/other${index}.test.ts > throws an error ${c.ms}`),
    ` ❯ src/parse.test.ts (3 tests | 1 failed) ${c.ms}`,
    c.color
      ? '\u001B[31m FAIL \u001B[39m src/parse.test.ts > parse > reads'
      : ' FAIL  src/parse.test.ts > parse > reads',
    `AssertionError: ${message}`,
    ` ❯ ${c.root}/src/parse.test.ts:${c.line}:${c.column}`,
    `Error at file://${c.root}/.looper/worktrees/${c.run}/${c.task}/src/parse.ts:${c.line}: object ${c.address} of ${c.uuid}`,
    `[${c.date}T${c.clock}.123Z] error in process ${c.pid} (node:${c.pid}) on http://localhost:${c.port}, ${c.percent}% done`,
    `error: temporary folder ${c.temporary} on branch looper/${c.run} for ${c.task}`,
    ` Test Files  1 failed | ${c.passed} passed (${c.passed + 1})`,
    `      Tests  1 failed${c.passed > 0 ? ` | ${c.passed} passed` : ''} (${c.passed + 1})`,
    `   Start at  ${c.clock}\n   Duration  ${c.ms} (transform ${c.ms})`,
  ].join('\n')

describe('fingerprint', () => {
  test('is the same for the same failure under other circumstances', () => {
    fc.assert(
      fc.property(circumstances, circumstances, (a, b) => {
        expect(fingerprint(report(a, 'expected the moon'))).toBe(fingerprint(report(b, 'expected the moon')))
      }),
      { numRuns: tries(500) },
    )
  })

  test('differs when the message differs', () => {
    const message = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(' '))
    fc.assert(
      fc.property(circumstances, message, message, (c, a, b) => {
        fc.pre(a !== b)
        expect(fingerprint(report(c, `unexpected ${a}`))).not.toBe(fingerprint(report(c, `unexpected ${b}`)))
      }),
    )
  })

  test.each([
    ['the colors', '\u001B[31mError: boom\u001B[0m', 'Error: boom'],
    ['numbers', 'expected 3 to be 4', 'expected 1,000.5 to be -7'],
    ['the order of failures', 'Error: one\nError: two', 'Error: two\nError: one'],
    ['repetition', 'Error: one', 'Error: one\nError: one'],
    ['what is printed besides', 'compiling\nError: one\ndone in 3 s', 'Error: one'],
    [
      'a temporary folder whose name looks like an address',
      'Error in /tmp/looper-0xa0aa: no',
      'Error in /tmp/looper-aa0A0A: no',
    ],
    ['a git hash', 'error: commit 3f2a9bc1 is bad', 'error: commit 0123456789abcdef0123456789abcdef01234567 is bad'],
    ['a date in words', 'Error on Sat, Nov 15 2025 20:14:01 GMT', 'Error on Mon, Jan 2 2024 01:02:03 GMT'],
    ['a time of day', 'failed at 9:14 PM', 'failed at 11:59 AM'],
    ['the place in a file', 'src/a.ts(3,5): error TS2304: no x', 'src/a.ts(30,51): error TS2304: no x'],
    [
      'the number of tests that passed',
      '1) breaks\nAssertionError: no\n\n  3 passing (5ms)\n  1 failing',
      '1) breaks\nAssertionError: no\n\n  4 passing (1s)\n  1 failing',
    ],
    [
      'which process, port or seed it was',
      'error: worker 12 failed on port 4000, seed 991',
      'error: worker 7 failed on port 41234, seed 5',
    ],
    ['the number of a test', 'not ok 3 - failed login', 'not ok 4 - failed login'],
    ['how far it came', 'error [ 43%] building', 'error [ 44%] building'],
    ['a count beside the failure', 'Error: no x in 12 files', 'Error: no x in 13 files'],
    [
      'a time beside a count',
      'error: 6 problems left after 1.2s (pid 991)',
      'error: 6 problems left after 900ms (pid 17)',
    ],
    [
      'a time in the name of a file',
      'npm error log: /home/a/_logs/2026-11-17T21_50_54_788Z-debug-0.log',
      'npm error log: /home/b/_logs/2026-11-18T01_51_14_123Z-debug-0.log',
    ],
    ['a time with underscores', 'Error: x at 2026_11_17T21_50_54_788', 'Error: x at 2026_11_18T01_51_04_789'],
    ['a compact time', 'Error in run-20261117T215054Z.xml', 'Error in run-20261118-015104.xml'],
    ['a seed in hex', 'Error: failed with seed 4711abc', 'Error: failed with seed 99ffee'],
    ['long hex in a name', 'error: volume db_3f2a9bc1 is gone', 'error: volume db_77aa01ef is gone'],
    ['a random end of a name', 'Error: cannot open db test_k3j9x2', 'Error: cannot open db test_p0q8w1'],
    ['a number of milliseconds in a name', 'Error: no db-1763416254788', 'Error: no db-1763416299999'],
    ["a quiet failure's times", 'done at 12:00:01 with code x', 'done at 13:10:11 with code x'],
  ])('does not see %s', (_, a, b) => {
    expect(fingerprint(a)).toBe(fingerprint(b))
  })

  test.each([
    ['the error code', 'src/a.ts(3,5): error TS2304: no x', 'src/a.ts(3,5): error TS2305: no x'],
    ['the file', 'FAIL src/a.test.ts > reads', 'FAIL src/b.test.ts > reads'],
    ['the file at the end of a path', 'Error in /repo/src/a.ts:3', 'Error in /repo/src/b.ts:3'],
    ['the test', 'not ok 1 - adds', 'not ok 1 - subtracts'],
    ['the route', 'Error: GET /api/users failed', 'Error: GET /api/posts failed'],
    ['the host', 'Error: no answer from https://one.example/x', 'Error: no answer from https://two.example/x'],
    ['the last lines of a quiet failure', 'a\nb', 'a\nc'],
    ['other alphabets', 'ERROR: 文件', 'ERROR: 目录'],
    ['that fewer are left', 'Error: 6 problems left', 'Error: 5 problems left'],
    [
      'how many failed',
      '1) breaks\nAssertionError: no\n\n  1 failing',
      '1) breaks\nAssertionError: no\n\n  12 failing',
    ],
    ['counts behind their word', 'FAILED (failures=3, errors=2)', 'FAILED (failures=2, errors=2)'],
    ['counts right behind their word', 'Failures:3', 'Failures:2'],
    ['totals of TAP', 'not ok 1 - a\n# pass 3\n# fail 2', 'not ok 1 - a\n# pass 3\n# fail 1'],
    [
      'counts of lint',
      'error  no-var\n✖ 12 problems (12 errors, 0 warnings)',
      'error  no-var\n✖ 11 problems (11 errors, 0 warnings)',
    ],
    [
      'counts of types',
      'error TS2304: no x\nFound 12 errors in 2 files.',
      'error TS2304: no x\nFound 3 errors in 2 files.',
    ],
    [
      'coverage',
      'ERROR: Coverage for lines (81.2%) does not meet threshold (90%)',
      'ERROR: Coverage for lines (82.4%) does not meet threshold (90%)',
    ],
    ['a name with digits', 'Error in test_utf8', 'Error in test_utf16'],
    ['numbered names', 'Error in test_step1of3', 'Error in test_step2of3'],
    ['a platform', 'Error: no build for x86_64', 'Error: no build for x86_32'],
    ['words that look like hex', 'error: no facade', 'error: no decade'],
    ['more failures', 'Error: one', 'Error: one\nError: two'],
  ])('sees %s', (_, a, b) => {
    expect(fingerprint(a)).not.toBe(fingerprint(b))
  })

  test('does not see the folder it happened in, even one with spaces', () => {
    const at = (folder: string): string => fingerprint(`Error in ${folder}/src/a.ts:3\nfailed: ${folder}`, folder)
    expect(at('/home/me/My Project')).toBe(at('/srv/x/.looper/worktrees/001-a/T001'))
  })

  test('is twelve hex digits for anything', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(fingerprint(text)).toMatch(/^[0-9a-f]{12}$/)
      }),
    )
    for (const piece of ['error ', '/', '/a', '0', 'f0', ':1', '1-', '12:', '<time> ', 'error 1s\n', '.looper/']) {
      expect(fingerprint(piece.repeat(50_000))).toMatch(/^[0-9a-f]{12}$/)
    }
  })
})

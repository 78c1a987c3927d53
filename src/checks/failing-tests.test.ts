import { ends, goBad, jestEnd, point, read, vitest } from '../../test/kit/runner-output.ts'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { failingTests } from './failing-tests.ts'
import { fingerprint } from './fingerprint.ts'
import { countTests } from './tests-executed.ts'

const found = (failing: string[], passing: number | null) => ({ failing, passing })

describe('F12: failed tests with their file or suite', () => {
  test.each<[string, string, string[], number | null]>([
    [
      'TAP of node:test',
      `${point(1, 'works', 'a.test.mjs')}\nok 2 - fine\n${point(3, 'works', 'b.test.mjs')}\n${ends(7, 2)}`,
      ['a.test.mjs › works', 'b.test.mjs › works'],
      7,
    ],
    [
      'TAP with suites, whose failure is that of their tests',
      `    ${point(1, 'inner', 'a.test.mjs').replaceAll('\n', '\n    ')}\nnot ok 1 - group\n  ---\n  type: 'suite'\n  failureType: 'subtestsFailed'\n  ...\n${ends(1, 1)}`,
      ['a.test.mjs › inner'],
      1,
    ],
    ['other TAP', `not ok 1 - old # time=3ms\nok 2 - x\nnot ok 3 - later # TODO\n${ends(1, 1)}`, ['old'], 1],
    [
      'TAP of tape, whose points recur',
      `# adds\nok 1 should be equal\n# subtracts\nnot ok 2 should be equal\n# divides\nnot ok 3 should be equal\n${ends(1, 2)}`,
      ['subtracts › should be equal', 'divides › should be equal'],
      1,
    ],
    ['TAP with one name twice', `not ok 1 - old\nnot ok 2 - old\n${ends(1, 2)}`, ['old', 'old'], 1],
    [
      'node:test spec',
      '✖ works (1ms)\nℹ tests 3\nℹ pass 2\nℹ fail 1\nℹ cancelled 0\n\n✖ failing tests:\n\ntest at sub/a.test.mjs:3:1\n✖ works (1.6ms)\n',
      ['sub/a.test.mjs › works'],
      2,
    ],
    [
      'vitest',
      vitest(
        ' FAIL  a.test.ts > math > adds',
        'AssertionError: no',
        ' Test Files  1 failed | 1 passed (2)',
        '      Tests  1 failed | 4 passed (5)',
      ),
      ['a.test.ts > math > adds'],
      4,
    ],
    [
      'jest',
      `FAIL src/a.test.js (5.2 s)\n  ● Console\n\n  ● math › adds\n\n    expect\n\nPASS src/b.test.js\n${jestEnd(1, 1)}`,
      ['src/a.test.js › math › adds'],
      5,
    ],
    [
      'jest, all of it once more',
      `FAIL src/a.test.js\n  ● adds\n\nSummary of all failing tests\nFAIL src/a.test.js\n  ● adds\n\n${jestEnd(1, 1)}`,
      ['src/a.test.js › adds'],
      5,
    ],
    [
      'mocha',
      '  math\n    1) adds\n    ✔ subs\n\n  4 passing (5ms)\n  2 failing\n\n  1) math\n       adds:\n     Error: no\n\n  2) top:\n     Error: no\n',
      ['math › adds', 'top'],
      4,
    ],
    [
      'pytest',
      '=== short test summary info ===\nFAILED t/test_a.py::test_adds[2] - assert 1 == 2\n=== 1 failed, 3 passed in 0.5s ===',
      ['t/test_a.py::test_adds[2]'],
      3,
    ],
    [
      'unittest',
      `${'='.repeat(70)}\nFAIL: test_adds (test_a.Math.test_adds)\n----\nRan 4 tests in 0.001s\n\nFAILED (failures=1, skipped=1)`,
      ['test_adds (test_a.Math.test_adds)'],
      2,
    ],
    [
      'go -v',
      `--- PASS: TestSubs (0.00s)\n${goBad}\nok  \tex/other\t0.1s\nFAIL`,
      ['ex/math › TestAdds', 'ex/math › TestAdds/two'],
      1,
    ],
    ['go', `${goBad}\nok  \tex/other\t0.1s\nFAIL`, ['ex/math › TestAdds', 'ex/math › TestAdds/two'], null],
    [
      'rspec',
      '5 examples, 1 failure, 1 pending\n\nFailed examples:\n\nrspec ./spec/a_spec.rb:3 # Math adds\n',
      ['./spec/a_spec.rb › Math adds'],
      3,
    ],
    [
      'minitest',
      '  1) Failure:\nMathTest#test_adds [test/a.rb:3]:\nno\n\n4 runs, 4 assertions, 1 failures, 0 errors, 1 skips',
      ['MathTest#test_adds'],
      2,
    ],
    [
      'phpunit',
      '1) MathTest::testAdds\nno\n\nFAILURES!\nTests: 4, Assertions: 4, Failures: 1.',
      ['MathTest::testAdds'],
      3,
    ],
    [
      'phpunit, twice',
      'OK (2 tests, 2 assertions)\n1) MathTest::testAdds\nno\n\nTests: 4, Assertions: 4, Failures: 1.',
      ['MathTest::testAdds'],
      5,
    ],
    ['vitest behind a tab', ' FAIL  a.test.ts > adds\n\tTests  1 failed | 4 passed (5)', ['a.test.ts > adds'], 4],
  ])('%s', (_runner, output, failing, passing) => expect(read(output)).toEqual(found(failing, passing)))

  test('cargo, by binary', () => {
    const output =
      '     Running unittests src/lib.rs (target/x)\ntest math::adds ... FAILED\ntest subs ... ok\ntest result: FAILED. 1 passed; 1 failed; 0 ignored\n'
      + 'error: test failed, to rerun pass `--lib`\n     Running tests/x.rs (target/y)\nrunning 1 test\nerror: test failed, to rerun pass `--test x`\n\nCaused by:\n'
      + "  process didn't exit successfully: `x` (signal: 6, SIGABRT: process abort signal)\nerror: 2 targets failed:\n"
    expect(read(output, 101)).toEqual(found(['src/lib.rs › math::adds', 'tests/x.rs crashed'], 1))
  })
})

describe('F12: names that may not be all of it are none', () => {
  test.each<[string, string, number?]>([
    ['no runner', 'error TS2304: Cannot find name'],
    ['fewer names than failures', `not ok 1 - old\n${ends(1, 2)}`],
    ['a test that was cancelled without a name', `not ok 1 - old\n${ends(1, 1, 1)}`],
    ['vitest without the list', '      Tests  1 failed | 2 passed (3)'],
    [
      'vitest with a suite that has no name',
      vitest('⎯⎯ Failed Suites 1 ⎯⎯', ' FAIL  a.test.ts > adds', '      Tests  1 failed | 2 passed (3)'),
    ],
    ['jest with a suite that has no name', `FAIL a.test.js\n  ● adds\n\nFAIL b.test.js\n${jestEnd(2, 1)}`],
    ['another runner beside it', `not ok 1 - old\n${ends(1, 1)}\n 3 pass\n 1 fail\n`],
    ['a signal', `not ok 1 - old\n${ends(1, 1)}`, 139],
    [
      'more than anybody reads',
      Array.from({ length: 201 }, (_, n) => `not ok ${n} - case ${n}`).join('\n') + `\n${ends(1, 201)}`,
    ],
  ])('%s', (_what, output, exitCode) => expect(read(output, exitCode)).toBeNull())

  test('and no process leaves names without an end', () =>
    expect(failingTests(`not ok 1 - old\n${ends(1, 1)}`, null, '/repo')).toBeNull())
})

test.each(['tap', 'spec'])('F12: the output of node itself (%s)', (reporter) => {
  const folder = mkdtempSync(join(tmpdir(), 'looper-failing-'))
  try {
    const write = (name: string, text: string): void =>
      writeFileSync(join(folder, name), `import { test, describe } from 'node:test'\n${text}`)
    write(
      'a.test.mjs',
      "test('works', () => { throw new Error('no') })\ntest('fine', () => {})\ndescribe('g', () => test('works', () => { throw new Error('no') }))\n",
    )
    write('b.test.mjs', "import './gone.mjs'\ntest('works', () => {})\n")
    const { NODE_TEST_CONTEXT: _context, ...env } = process.env
    const { stdout, status } = spawnSync(process.execPath, ['--test', `--test-reporter=${reporter}`], {
      cwd: folder,
      env,
      encoding: 'utf8',
    })
    expect(failingTests(stdout, status, folder)).toEqual(
      found(['a.test.mjs › works', 'a.test.mjs › works', 'b.test.mjs'], 1),
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('F12: no output takes long, whichever runner it pretends to come from', () => {
  const totals = [
    '      Tests  1 failed | 4 passed (5)',
    jestEnd(1, 1),
    '  4 passing (5ms)',
    '  1 failing',
    ends(8, 1),
    '=== short test summary info ===',
    '=== 1 failed, 3 passed in 0.5s ===',
    'Ran 4 tests in 0.001s',
    'FAILED (failures=1)',
    'FAIL\tex/math\t0.002s',
    'test result: FAILED. 1 passed; 1 failed; 0 ignored',
    '5 examples, 1 failure',
    '4 runs, 4 assertions, 1 failures, 0 errors',
    'Tests: 4, Assertions: 4, Failures: 1.',
  ].join('\n')
  const pieces = [
    'SUBFAIL(',
    'SUBFAIL(\n',
    '⎯',
    '⎯ Uncaught E ⎯\n',
    '⎯ Uncaught E ⎯\n\n',
    ' FAIL  a [ ',
    'FAIL  a\n',
    '  ● a\n',
    '  1) a\n',
    'not ok 1 - a\n',
    'not ok 1 a # ',
    'not ok 1 - a\n  ---\n',
    "location: '",
    'test at a:1\n',
    '✖ a (',
    '! a ',
    '!',
    '=',
    `${'='.repeat(25)}\nFAIL: a (\n`,
    'FAILED (',
    '--- FAIL: a\n',
    'FAIL\ta [',
    'ok  \ta\t',
    'test a ',
    'test a ... FAILED\n',
    'rspec a:',
    'Failure:\n',
    'Failure:\na#b [',
    ' \n',
    '\n',
    '\t',
    '  ',
    '1',
    '1 ',
    'Tests: ',
    'Tests  1',
    'Tests: 1, Assertions: ',
    'Test Suites: ',
    'Summary [',
    'Tests run: 1, Failures: 1',
    '[   1 tests ',
    'a/',
    '/',
    'error ',
    '1 failed ',
    'a:test: ',
    'running 1 test\n',
    '.looper/worktrees/',
    '1s ',
    'abcdef1',
    'An error occurred while loading a',
  ]
  for (const piece of pieces) {
    const output = `${totals}\n${piece.repeat(1_000_000 / piece.length)}\n${totals}`
    read(output)
    countTests(output)
    fingerprint(output, '/repo')
  }
}, 600_000)

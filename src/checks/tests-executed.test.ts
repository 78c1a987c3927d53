import { describe, expect, test } from 'vitest'
import { countTests } from './tests-executed.ts'

const surefireClass =
  '[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 1, Time elapsed: 0.052 s -- in com.example.AppTest'

const samples: [name: string, count: number | null, output: string][] = [
  [
    'vitest',
    3,
    ' RUN  v4.1.12 /repo\n\n ✓ src/a.test.ts (3 tests) 4ms\n\n Test Files  1 passed (1)\n'
      + '      Tests  3 passed (3)\n   Duration  200ms',
  ],
  [
    'vitest, mixed',
    3,
    ' Test Files  1 failed | 1 passed (2)\n      Tests  1 failed | 2 passed | 4 skipped | 1 todo (8)\n',
  ],
  ['vitest, all skipped', 0, ' Test Files  1 skipped (1)\n      Tests  2 skipped (2)\n'],
  ['vitest, nothing collected', 0, ' Test Files  1 failed (1)\n      Tests  no tests\n'],
  ['vitest, no files', 0, 'No test files found, exiting with code 0\n\ninclude: **/*.test.ts'],
  [
    'jest',
    4,
    'Test Suites: 1 failed, 1 passed, 2 total\nTests:       1 failed, 1 skipped, 3 passed, 5 total\n'
      + 'Snapshots:   0 total\nTime:        0.5 s',
  ],
  ['jest, none', 0, 'Test Suites: 0 of 1 total\nTests:       0 total\nSnapshots:   0 total'],
  ['jest, no files', 0, 'No tests found, exiting with code 0'],
  ['mocha', 4, '\n  parser\n    ✔ reads\n\n\n  3 passing (12ms)\n  2 pending\n  1 failing\n\n  1) parser fails:\n'],
  ['mocha, none', 0, '\n\n  0 passing (1ms)\n'],
  [
    'node:test, TAP',
    2,
    'TAP version 13\nok 1 - a\n1..1\n# tests 3\n# suites 0\n# pass 1\n# fail 1\n# cancelled 0\n'
      + '# skipped 1\n# todo 0\n# duration_ms 40',
  ],
  [
    'node:test, spec',
    3,
    '✔ adds (0.5ms)\nℹ tests 3\nℹ suites 0\nℹ pass 3\nℹ fail 0\nℹ cancelled 0\nℹ skipped 0\n'
      + 'ℹ todo 0\nℹ duration_ms 50.1',
  ],
  ['node:test, none', 0, 'ℹ tests 0\nℹ suites 0\nℹ pass 0\nℹ fail 0\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0'],
  [
    'node:test, a file without tests',
    0,
    '# Subtest: /repo/a.test.mjs\nok 1 - /repo/a.test.mjs\n  ---\n  ...\n1..1\n# tests 1\n# pass 1\n# fail 0\n',
  ],
  ['node:test, the same in spec', 1, '✔ a.test.js (29.2ms)\n✔ adds (0.5ms)\nℹ tests 2\nℹ pass 2\nℹ fail 0\n'],
  ['tape', 8, 'TAP version 13\n# adds\nok 1 should be equal\n\n1..8\n# tests 8\n# pass  8\n\n# ok'],
  [
    'bun',
    4,
    'bun test v1.2.0\n\na.test.ts:\n✓ adds [0.10ms]\n\n 3 pass\n 1 fail\n 5 expect() calls\n'
      + 'Ran 4 tests across 1 file. [12.00ms]',
  ],
  ['deno', 4, 'running 4 tests from ./a_test.ts\nadds ... ok (1ms)\n\nFAILED | 3 passed (2 steps) | 1 failed (12ms)\n'],
  [
    'pytest',
    4,
    'collected 6 items\n\ntest_a.py .F.s\n\n=== short test summary info ===\nFAILED test_a.py::test_b\n'
      + '=== 1 failed, 2 passed, 1 skipped, 1 xfailed in 0.12s ===',
  ],
  ['pytest -q', 3, '...                                     [100%]\n3 passed, 1 warning in 0.01s\n'],
  ['pytest, long', 3, '=== 3 passed in 75.01s (0:01:15) ==='],
  ['pytest, none', 0, 'collected 0 items\n\n=== no tests ran in 0.01s ==='],
  ['pytest, deselected', 0, 'collected 3 items / 3 deselected / 0 selected\n=== 3 deselected in 0.01s ==='],
  ['pytest, collection error', 0, 'collected 0 items / 1 error\n=== 1 error in 0.10s ==='],
  [
    'pytest, collection stops',
    0,
    'collected 3 items / 1 error\n=== short test summary info ===\nERROR t/test_b.py\n'
      + '!!! Interrupted: 1 error during collection !!!\n=== 1 error in 0.05s ===',
  ],
  ['pytest, quiet to the end', 0, 'platform linux -- Python 3.12\ncollected 0 items\n'],
  [
    'unittest',
    3,
    '...\n----------------------------------------------------------------------\nRan 3 tests in 0.001s\n\nOK\n',
  ],
  ['unittest, skipped', 1, 'Ran 3 tests in 0.001s\n\nFAILED (failures=1, skipped=2)'],
  ['unittest, none', 0, 'Ran 0 tests in 0.000s\n\nNO TESTS RAN'],
  ['unittest, cut off', 1, 'Ran 1 test in 0.000s'],
  [
    'cargo',
    4,
    'running 3 tests\ntest a ... ok\n'
      + 'test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n'
      + '   Doc-tests demo\n\nrunning 2 tests\n'
      + 'test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.10s',
  ],
  [
    'cargo, none',
    0,
    'running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s',
  ],
  [
    'cargo, crashed',
    2,
    'running 2 tests\nerror: test failed, to rerun pass `--lib`\n\nCaused by:\n'
      + '  process did not exit successfully (signal: 6)',
  ],
  ['nextest', 3, '────────────\n     Summary [   0.002s] 3 tests run: 3 passed, 1 skipped'],
  ['go', null, 'ok  \texample.com/a\t0.003s\n?   \texample.com/b\t[no test files]\n'],
  ['go, cached', null, 'ok  \texample.com/a\t(cached)\n'],
  ['go, failed', null, '--- some log\nFAIL\texample.com/a\t0.003s\nFAIL\n'],
  [
    'go -v',
    2,
    '=== RUN   TestA\n--- PASS: TestA (0.00s)\n=== RUN   TestB\n    --- PASS: TestB/sub (0.00s)\n'
      + '--- FAIL: TestB (0.00s)\nFAIL\texample.com/a\t0.003s',
  ],
  ['go, no files', 0, '?   \texample.com/a\t[no test files]\n?   \texample.com/b\t[no test files]\n'],
  ['go, with coverage', 0, '\texample.com/a\t\tcoverage: 0.0% of statements\n'],
  ['go, nothing to run', 0, 'testing: warning: no tests to run\nPASS\nok  \texample.com/a\t0.002s [no tests to run]\n'],
  ['go, a test binary', 0, 'testing: warning: no tests to run\nPASS\n'],
  ['rspec', 2, 'Finished in 0.01 seconds (files took 0.1 seconds to load)\n3 examples, 1 failure, 1 pending\n'],
  ['rspec, none', 0, 'No examples found.\n\n0 examples, 0 failures\n'],
  ['minitest', 2, '3 runs, 5 assertions, 0 failures, 0 errors, 1 skips\n'],
  ['ExUnit', 2, 'Finished in 0.03 seconds\n3 tests, 0 failures, 1 skipped\n'],
  ['phpunit', 3, '...    3 / 3 (100%)\n\nOK (3 tests, 5 assertions)\n'],
  ['phpunit, skipped', 2, 'OK, but some tests were skipped!\nTests: 3, Assertions: 2, Skipped: 1.\n'],
  ['phpunit, none', 0, 'PHPUnit 11.0.0\n\nNo tests executed!\n'],
  ['JUnit 4', 3, 'Time: 0.01\nThere was 1 failure:\nTests run: 3,  Failures: 1\n'],
  [
    'JUnit console',
    3,
    '[         4 tests found           ]\n[         2 tests successful      ]\n[         1 tests failed          ]',
  ],
  [
    'maven',
    4,
    `${surefireClass}\n${surefireClass}\n[INFO] \n`
      + `[INFO] Tests run: 6, Failures: 0, Errors: 0, Skipped: 2\n[INFO] BUILD SUCCESS`,
  ],
  [
    'maven, none',
    0,
    '[INFO] --- surefire:3.2.5:test (default-test) @ demo ---\n[INFO] No tests to run.\n[INFO] BUILD SUCCESS',
  ],
  ['gradle', 2, '3 tests completed, 1 failed, 1 skipped\n\n> Task :test FAILED'],
  [
    'ctest',
    3,
    '1/3 Test #1: a ..... Passed 0.01 sec\n\n67% tests passed, 1 tests failed out of 3\n\nTotal Test time (real) = 0.02 sec',
  ],
  ['ctest, none', 0, 'Test project /build\nNo tests were found!!!\n'],
  ['playwright', 4, '  1 failed\n    [chromium] › a.spec.ts:3:1 › works\n  3 passed (5.2s)\n'],
  ['a home-made runner', 12, 'all done: 12 passed, 0 failed\n'],
  ['a home-made runner that ran nothing', 0, '0 passed, 0 failed\n'],
  ['a linter', null, 'Found 0 warnings and 0 errors.\nFinished in 8ms on 30 files with 96 rules using 2 threads.\n'],
  ['a linter that counts failures', null, 'checked 30 files, 0 failed\n'],
  ['a compiler', null, 'src/a.ts(3,5): error TS2304: Cannot find name "x".\n'],
  ['nothing', null, ''],
  ['two runners', 5, ' Test Files  1 passed (1)\n      Tests  3 passed (3)\n\n=== 2 passed in 0.01s ===\n'],
  ['one package with tests, one without', 3, 'No test files found, exiting with code 0\n      Tests  3 passed (3)\n'],
  [
    'one that ran nothing, one that does not say',
    null,
    'No test files found, exiting with code 0\nok  \texample.com/a\t0.003s\n',
  ],
  [
    'pnpm -r',
    5,
    'packages/a test$ vitest run\npackages/a test:       Tests  3 passed (3)\n'
      + 'packages/b test:   2 passing (5ms)\npackages/b test: Done',
  ],
  ['turbo', 3, '@x/a:test:  Test Files  1 passed (1)\n@x/a:test:       Tests  3 passed (3)\n'],
]

describe('countTests', () => {
  test.each(samples)('%s: %j', (_, count, output) => {
    expect(countTests(output)).toBe(count)
  })

  test('reads each runner once, also among other lines', () => {
    for (const [name, count, output] of samples) {
      if (count === null || count === 0 || name.includes('home-made') || name === 'playwright') continue
      expect(countTests(`> build\ncompiled 12 files\n${output}\n\n      Tests  2 passed (2)\n`), name).toBe(count + 2)
    }
  })

  test('copes with hostile output', () => {
    for (const piece of [
      'Tests  1 ',
      '1 passed, ',
      '\n',
      ' ',
      '=',
      '9',
      'Ran 1 test in 1s\n',
      '[ 1',
      '\t\n',
      'Summary [',
    ]) {
      expect(() => countTests(piece.repeat(100_000))).not.toThrow()
    }
  })
})

import { expect, test } from 'vitest'
import { executedTests } from './executed-tests.ts'

const cases: [runner: string, output: string, names: string[] | null][] = [
  [
    'pytest -v',
    'tests/test_a.py::test_one PASSED   [ 50%]\ntests/test_a.py::test_two[a b] FAILED [100%]\ntests/test_a.py::test_no SKIPPED (x)\n',
    ['tests/test_a.py::test_one', 'tests/test_a.py::test_two[a b]'],
  ],
  ['pytest', 'tests/test_a.py ..F  [100%]\n', null],
  [
    'unittest -v',
    "test_add (test_a.Sum.test_add) ... ok\ntest_sub (test_a.Sum.test_sub) ... FAIL\ntest_no (a.B.test_no) ... skipped 'x'\n",
    ['test_add (test_a.Sum.test_add)', 'test_sub (test_a.Sum.test_sub)'],
  ],
  [
    'go test -v',
    '=== RUN   TestA\n--- PASS: TestA (0.00s)\n    --- FAIL: TestA/sub (0.00s)\n--- SKIP: TestB (0.00s)\nok  \tx\t0.1s\n',
    ['TestA', 'TestA/sub'],
  ],
  [
    'cargo test',
    '     Running unittests src/lib.rs (target/debug/deps/a-1)\ntest tests::one ... ok\ntest tests::two ... FAILED\ntest tests::no ... ignored\n',
    ['src/lib.rs › tests::one', 'src/lib.rs › tests::two'],
  ],
  [
    'vitest --reporter verbose',
    ' ✓ test/a.test.ts > sum > adds 2ms\n × test/a.test.ts > sum > subtracts 3ms\n ↓ test/a.test.ts > no\n      Tests  1 failed | 1 passed (2)\n',
    ['test/a.test.ts > sum > adds', 'test/a.test.ts > sum > subtracts'],
  ],
  ['vitest', ' ✓ test/a.test.ts (2 tests) 3ms\n      Tests  2 passed (2)\n', null],
  ['ava --verbose', '  ✔ a › adds (12ms)\n  ✘ [fail]: a › subtracts\n', ['a › adds', 'a › subtracts']],
  [
    'node --test',
    '▶ sum\n  ✔ adds (0.5ms)\n  ✖ subtracts (1ms)\n▶ sum (2ms)\n\n✔ alone (1ms)\n﹣ no (0.1ms) # SKIP\nℹ tests 4\n\n✖ failing tests:\n\n✖ subtracts (1ms)\n',
    ['sum > adds', 'sum > subtracts', 'alone'],
  ],
  ['node --test of today', '▶ sum\n  ✔ adds (0.5ms)\n✔ sum (2ms)\n✔ alone (1ms)\nℹ tests 2\n', ['sum > adds', 'alone']],
  [
    'TAP of node',
    'TAP version 13\n# Subtest: sum\n    # Subtest: adds\n    ok 1 - adds\n    1..1\nok 1 - sum\n# Subtest: no\nok 2 - no # SKIP\n# tests 1\n',
    ['sum > adds'],
  ],
  [
    'tape',
    'TAP version 13\n# adds\nok 1 two\n# subtracts\nnot ok 2 three\n\n1..2\n# tests 2\n# pass  1\n# fail  1\n',
    ['adds', 'subtracts'],
  ],
  ['prove -v', 'ok 1 - adds\nnot ok 2 - subtracts\n1..2\n', ['adds', 'subtracts']],
  [
    'jest --verbose',
    'PASS test/a.test.js\n  sum\n    ✓ adds (5 ms)\n    ✕ subtracts\n    ○ skipped no\n\nTests: 1 failed, 1 passed, 2 total\n',
    ['test/a.test.js › sum › adds', 'test/a.test.js › sum › subtracts'],
  ],
  [
    'mocha',
    '\n  sum\n    ✓ adds\n    1) subtracts\n    - no\n\n\n  1 passing (5ms)\n  1 failing\n\n  1) sum\n       subtracts:\n',
    ['sum › adds', 'sum › subtracts'],
  ],
  ['none', 'hello\nworld\n', null],
]

test.each(cases)('%s', (_runner, output, names) => expect(executedTests(output, '/w')).toEqual(names))

test('the folder is no part of a name', () =>
  expect(executedTests('/w/tests/test_a.py::test_b PASSED\n', '/w')).toEqual(['tests/test_a.py::test_b']))

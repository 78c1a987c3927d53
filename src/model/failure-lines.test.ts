import { describe, expect, test } from 'vitest'
import { failureLine, failureLines } from './failure-lines.ts'

const tap = `TAP version 13
# Subtest: connects
not ok 1 - connects
  ---
  duration_ms: 6.914813
  location: '/home/me/test/a.test.js:1:30'
  failureType: 'testCodeFailure'
  error: 'DATABASE_URL is not set'
  code: 'ERR_TEST_FAILURE'
  stack: |-
    TestContext.<anonymous> (/home/me/test/a.test.js:1:78)
    Test.runInAsyncScope (node:async_hooks:206:9)
    node:internal/test_runner/harness:255:12
    async Test.run (node:internal/test_runner/test:796:25)
  ...
1..1
# tests 1
# suites 0
# pass 0
# fail 1
# duration_ms 409.042926
`
const crash = `/home/me/load.js:1
throw new Error('no .env')
      ^

Error: no .env
    at Object.<anonymous> (/home/me/load.js:1:45)
    at Module._compile (node:internal/modules/cjs/loader:1521:14)

Node.js v20.20.2
`

describe('the lines of a check that say what is wrong', () => {
  test('node --test: the error, not the summary or the stack', () => {
    expect(failureLine(tap)).toBe('DATABASE_URL is not set')
    expect(failureLines(tap, 12)).toBe("# Subtest: connects\nnot ok 1 - connects\n  error: 'DATABASE_URL is not set'")
  })

  test.each([
    [crash, 'Error: no .env'],
    [`# ${crash.replaceAll('\n', '\n# ')}`, 'Error: no .env'],
    ['x.py:3: in test_a\nE   assert 1 == 2\n=== 1 failed in 0.1s ===', 'assert 1 == 2'],
    ['error[E0308]: mismatched types\n  --> src/main.rs:1:1', 'error[E0308]: mismatched types'],
    [
      "cc -o calc calc.c\ncalc.c: In function 'sub':\ncalc.c:3:37: error: expected ';'\n    3 | int sub()\n"
        + 'make[1]: *** [Makefile:4: calc] Error 1\nmake: *** [Makefile:2: all] Error 2\n',
      "calc.c:3:37: error: expected ';'",
    ],
    ['src/a.ts(3,7): error TS2322: no\nsrc/b.ts(1,1): error TS1: x', 'src/a.ts(3,7): error TS2322: no'],
    ['src/a.ts:3:7 - error TS2322: no\n\n3   const x\n\nFound 1 error.', 'src/a.ts:3:7 - error TS2322: no'],
    ['# example.com/x\n./x.go:3:7: undefined: y\nFAIL\texample.com/x [build failed]', './x.go:3:7: undefined: y'],
    [
      "ld: main.o: undefined reference to `mul'\ncollect2: error: ld returned 1",
      "ld: main.o: undefined reference to `mul'",
    ],
    ['./calc 2 3 | grep -q 6\nmake: *** [Makefile:6: test] Error 1', './calc 2 3 | grep -q 6'],
    ["make: *** No rule to make target 'x'.  Stop.\n", "make: *** No rule to make target 'x'.  Stop."],
    ['before\nboth are here\n', 'both are here'],
    ['error: |-\n  a\n  b\n', 'b'],
    ['', ''],
  ])('%j', (text, line) => {
    expect(failureLine(text)).toBe(line)
  })

  test('an error that long output follows comes first', () => {
    const text = ['TypeError: x is no function', ...Array.from({ length: 40 }, (_, n) => `ok ${n}`)].join('\n')
    expect(failureLines(text, 4)).toBe('TypeError: x is no function\n…\nok 38\nok 39')
  })

  test('other output stays as it is, and noise alone is still shown', () => {
    expect(failureLines('a\n\n  b\nc\n\n', 2)).toBe('  b\nc')
    expect(failureLines('# tests 1\n# pass 0\n', 12)).toBe('# tests 1\n# pass 0')
  })
})

test('a log file of npm that is removed with the check is not named', () => {
  const lines = [
    'npm error Missing script: "test"',
    'npm error',
    'npm error A complete log of this run can be found in: /x',
  ]
  expect(failureLines(lines.join('\n'), 5)).toBe(lines[0])
})

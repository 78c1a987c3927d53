/** Output of test runners, put together from its parts. */
import { failingTests } from '../../src/checks/failing-tests.ts'

export const read = (output: string, exitCode = 1) => failingTests(output, exitCode, '/repo')

export const vitest = (...fails: string[]): string =>
  [' ❯ a.test.ts (3 tests | 1 failed) 8ms', '   × adds 5ms', ...fails].join('\n')
export const point = (n: number, name: string, file: string, more = ''): string =>
  `not ok ${n} - ${name}\n  ---\n  duration_ms: 1.7\n  location: '/repo/${file}:3:1'\n${more}  failureType: 'testCodeFailure'\n  ...`
export const ends = (pass: number, fail: number, cancelled = 0): string =>
  `1..9\n# tests 9\n# suites 0\n# pass ${pass}\n# fail ${fail}\n# cancelled ${cancelled}`
export const jestEnd = (suites: number, failed: number): string =>
  `Test Suites: ${suites} failed, 1 passed, ${suites + 1} total\nTests:       ${failed} failed, 5 passed, ${failed + 5} total\nSnapshots:   0 total`
export const goBad = '--- FAIL: TestAdds (0.00s)\n    --- FAIL: TestAdds/two (0.00s)\nFAIL\nFAIL\tex/math\t0.002s'

import { expect, test } from 'vitest'
import { failingTests } from './failing-tests.ts'

test.each([
  ['TAP and node:test', 'TAP version 13\nok 1 - fine\nnot ok 2 - adds numbers # time=3ms\n  ---', ['adds numbers']],
  ['node:test spec', '▶ math\n  ✖ adds numbers (1.204ms)\n  ✔ subtracts (0.1ms)\n', ['adds numbers']],
  ['vitest', ' FAIL  src/a.test.ts > math > adds 2\nAssertionError', ['src/a.test.ts > math > adds 2']],
  ['jest', '  ● math › adds numbers\n\n    expect(received)', ['math › adds numbers']],
  ['pytest', 'FAILED tests/test_a.py::test_adds[2] - assert 1 == 2', ['tests/test_a.py::test_adds[2]']],
  ['unittest', 'FAIL: test_adds (test_a.Math)\n----', ['test_adds (test_a.Math)']],
  ['go', '--- FAIL: TestAdds (0.00s)\n    --- FAIL: TestAdds/two (0.00s)', ['TestAdds', 'TestAdds/two']],
  ['cargo', 'test math::adds ... FAILED\ntest math::subs ... ok', ['math::adds']],
  ['nothing that names a test', 'error TS2304: Cannot find name', []],
])('F12: %s', (_runner, output, expected) => expect(failingTests(output)).toEqual(expected))

test('F12: names that differ in a digit differ, and no output makes the list endless', () => {
  expect(failingTests('not ok 1 - case 1\nnot ok 2 - case 2')).toEqual(['case 1', 'case 2'])
  expect(failingTests(Array.from({ length: 5_000 }, (_, n) => `not ok ${n} - case ${n}`).join('\n'))).toHaveLength(200)
})

import { ends, goBad, jestEnd, read, vitest } from '../../test/kit/runner-output.ts'
import { describe, expect, test } from 'vitest'

describe('F12: a failure outside of tests has its own name', () => {
  const totals = ' Test Files  2 failed (2)\n      Tests  1 failed | 2 passed (3)'
  test.each<[string, string, string[]]>([
    [
      'vitest: a file that does not load',
      vitest(' Failed Suites 1 ', ' FAIL  b.test.ts [ b.test.ts ]', ' FAIL  a.test.ts > adds', totals),
      ['b.test.ts', 'a.test.ts > adds'],
    ],
    [
      'vitest: an error outside of tests',
      vitest(
        ' FAIL  a.test.ts > adds',
        '⎯⎯ Unhandled Errors ⎯⎯',
        '',
        '⎯⎯ Uncaught Exception ⎯⎯',
        'Error: late',
        totals,
        '     Errors  1 error',
      ),
      ['a.test.ts > adds', 'Error: late'],
    ],
    [
      'jest: a file that does not load',
      `FAIL a.test.js\n  ● adds\n\nFAIL b.test.js\n  ● Test suite failed to run\n${jestEnd(2, 1)}`,
      ['a.test.js › adds', 'b.test.js › Test suite failed to run'],
    ],
    [
      'mocha: a hook',
      '  1 passing (5ms)\n  1 failing\n\n  1) math\n       "before all" hook for "adds":\n     Error\n',
      ['math › "before all" hook for "adds"'],
    ],
    [
      'pytest: a file that cannot be collected',
      '== short test summary info ==\nERROR t/test_b.py\nFAILED t/test_a.py::test_x\n1 failed, 1 passed, 1 error in 0.5s',
      ['t/test_b.py', 't/test_a.py::test_x'],
    ],
    [
      'pytest: collection stops',
      '== short test summary info ==\nERROR t/test_b.py\n!!! Interrupted: 1 error during collection !!!\n1 error in 0.5s',
      ['t/test_b.py'],
    ],
    [
      'pytest: the end of it all',
      '== short test summary info ==\nERROR t/test_b.py\n!!! KeyboardInterrupt !!!\n1 error in 0.5s',
      ['t/test_b.py', 'KeyboardInterrupt'],
    ],
    [
      'unittest: a module that cannot be imported',
      `${'='.repeat(70)}\nERROR: test_b (unittest.loader._FailedTest.test_b)\n---\nRan 3 tests in 0.001s\n\nFAILED (errors=1)`,
      ['test_b (unittest.loader._FailedTest.test_b)'],
    ],
    [
      'go: a package that does not build',
      `FAIL\tex/b [build failed]\n${goBad}`,
      ['ex/b [build failed]', 'ex/math › TestAdds', 'ex/math › TestAdds/two'],
    ],
    ['go: a panic', 'panic: boom\n\ngoroutine 1 [running]:\nFAIL\tex/b\t0.1s', ['ex/b › panic']],
    ['go: a package that just ends', 'exit status 3\nFAIL\tex/b\t0.1s', ['ex/b']],
    [
      'cargo: what does not compile',
      'test a ... FAILED\ntest result: FAILED. 1 passed; 1 failed;\nerror: could not compile `x` (test "y") due to 1 previous error',
      [' › a', 'error: could not compile `x` (test "y") due to 1 previous error'],
    ],
    [
      'rspec: a file that does not load',
      'An error occurred while loading ./spec/b_spec.rb.\n3 examples, 0 failures, 1 error occurred outside of examples',
      ['./spec/b_spec.rb'],
    ],
    [
      'coverage',
      `not ok 1 - old\n${ends(1, 1)}\n# Error: 50.00% line coverage does not meet threshold of 90%.`,
      ['old', '# Error: 50.00% line coverage does not meet threshold of 90%.'],
    ],
    [
      'types',
      `src/a.ts(3,4): error TS2304: no x\nnot ok 1 - old\n${ends(1, 1)}`,
      ['old', 'src/a.ts(N): error TS2304: no x'],
    ],
  ])('%s', (_what, output, failing) => expect(read(output)?.failing).toEqual(failing))

  test('an exit code that no test has caused', () => {
    const stopped =
      '== short test summary info ==\nERROR t/test_b.py\n!!! Interrupted: 1 error during collection !!!\n1 error in 0.5s'
    expect(read(stopped, 2)).toEqual({ failing: ['t/test_b.py'], passing: 0 })
    const output = `not ok 1 - old\n${ends(1, 1)}`
    expect(read(output, 1)?.failing).toEqual(['old'])
    expect(read(output, 2)?.failing).toEqual(['old', 'exit 2'])
    expect(read('  1 passing (5ms)\n  2 failing\n\n  1) a:\n\n  2) b:\n', 2)?.failing).toEqual(['a', 'b'])
  })

  test('but no test that passed, whatever it is called', () => {
    expect(
      read(`ok 1 - coverage does not meet threshold\nok 2 - error: no\nnot ok 3 - old\n${ends(2, 1)}`)?.failing,
    ).toEqual(['old'])
  })
})

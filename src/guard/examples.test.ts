import { expect, test } from 'vitest'
import { compareDoctests } from './definitions/doctests.ts'
import { examplesIn, keepsExamples } from './examples.ts'
import { mergeDoctests } from './reverse/merge-doctests.ts'
import { reverseOverlay } from './reverse/overlay.ts'

const doc = (...lines: string[]): string =>
  ['    """Adds.', '', ...lines.map((line) => `    ${line}`), '    """'].join('\n')
const both = doc('>>> add(1, 2)', '3', '>>> add(1, 0)', '1')
const one = doc('>>> add(1, 0)', '1')
const code = (docstring: string, sign = '+'): string => `def add(a, b):\n${docstring}\n    return a ${sign} b\n`

const numbered = '        """\n        >>> 1\n        1\n        """\n'
const other = 'class A:\n    def g(self):\n        return 2\n\n    def f(self):\n'

test('examples are read with what they print', () => {
  expect(examplesIn('>>> f(\n... 1)\n2\n3\n\ntext\n')).toEqual([{ source: 'f(\n1)', expected: '2\n3' }])
  expect(keepsExamples(code(both), code(both, '-'))).toBe(true)
  expect(keepsExamples(code(both), code(one))).toBe(false)
  expect(keepsExamples(code(one), code(both))).toBe(true)
})

test.each([
  ['changed ones are put back', code(both), code(one, '-'), code(both, '-')],
  ['removed ones are put back', code(both), 'def add(a, b):\n    return a - b\n', code(both, '-')],
  [
    'a function that is gone takes them along',
    code(both),
    'def sum(a, b):\n    return a\n',
    'def sum(a, b):\n    return a\n',
  ],
  [
    'each method has its own',
    `class A:\n    def f(\n        self,\n    ) -> int:\n${numbered}\n    def g(self):\n        pass\n`,
    `${other}        """None."""\n        return 1\n`,
    `${other}${numbered}        return 1\n`,
  ],
])('examples of the base over code of the candidate: %s', (_what, judge, product, merged) => {
  expect(mergeDoctests(judge, product)).toBe(merged)
})

test('a file with changed examples is merged, and counts as tests', () => {
  const file = { path: 'sums.py', before: code(both), after: code(one, '-') }
  const { merged, touches } = reverseOverlay({ changed: ['sums.py'], files: [file], checks: [] })
  expect(merged).toEqual([{ path: 'sums.py', content: code(both, '-') }])
  expect(touches).toEqual({ tests: ['sums.py'], data: [], machinery: [] })
})

test('a removed example is a finding where checks run doctests', () => {
  const files = [{ path: 'sums.py', before: code(both), after: code(one, '-') }]
  expect(compareDoctests(files, ['python3 -m doctest sums.py'])).toEqual([
    { kind: 'assertions-removed', file: 'sums.py', test: null, detail: 'the example >>> add(1, 2) is gone' },
  ])
  const settings = { path: 'pytest.ini', before: '[pytest]\naddopts = --doctest-modules\n', after: '' }
  expect(compareDoctests([...files, settings], ['pytest'])).toHaveLength(1)
  expect(compareDoctests(files, ['pytest'])).toEqual([])
  const gone = [{ path: 'sums.py', before: code(both), after: 'def sum():\n    pass\n' }]
  expect(compareDoctests(gone, ['python3 -m doctest sums.py'])).toEqual([])
})

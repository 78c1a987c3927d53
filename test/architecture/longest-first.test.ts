/** The lists of test files in `test/kit` are true: those that take long, and those that `npm test` leaves to CI. */
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { longest, rankOf } from '../kit/longest-first.ts'
import { wholeProgram } from '../kit/whole-program.ts'
import { root, testFiles } from './sources.ts'

test.each([
  ['longest-first', longest],
  ['whole-program', wholeProgram],
])('each entry of the list %s is the start of a test', (_name, list) => {
  const tests = testFiles.map((file) => relative(root, file)).filter((path) => path.endsWith('.test.ts'))
  expect(list.filter((start) => !tests.some((path) => path.startsWith(start)))).toEqual([])
})

test('a file of the list comes before the files that are not in it', () => {
  const paths = ['src/core/decide.test.ts', 'test/e2e/apply.test.ts', 'src/simulation/more-worlds.test.ts']
  expect(paths.toSorted((a, b) => rankOf(a) - rankOf(b))).toEqual(paths.toReversed())
})

test('CI runs the tests that `npm test` leaves out', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  expect(scripts['test']).toBe('TEST_PART=others vitest run')
  expect(scripts['test:program']).toBe('TEST_PART=program vitest run')
  expect(readFileSync(join(root, '.ci/run'), 'utf8')).toMatch(/^tests \S+ npm run test:program$/m)
})

import { expect, test } from 'vitest'
import { isAboutNewTests } from './new-test-proof.ts'

const files = ['test/sum.test.js']

test.each([
  ['a new test that ran fails', ['adds', 'subtracts'], ['subtracts'], true],
  ['its file cannot be loaded', ['adds'], ['test/sum.test.js'], true],
  ['the file that loads all tests cannot be loaded', ['adds'], ['test/all.ts'], true],
  ['only the error is named', ['adds'], ["ℹ Error: Cannot find module 'src/sum.js' imported from test/all.js"], true],
  ['only a test fails that the candidate does not run', ['adds'], ['other suite › divides'], false],
  ['nothing is named', null, null, true],
  ['the run names no failure', ['adds'], [], true],
] as const)('%s: %j %j → %s', (_name, executed, failing, expected) => {
  expect(isAboutNewTests({ executed, files, failing })).toBe(expected)
})

test('names are compared without their groups', () => {
  expect(isAboutNewTests({ executed: ['sum > adds'], files, failing: ['sum › adds'] })).toBe(true)
})

import { expect, test } from 'vitest'
import { proveNewTests, type ExecutedTests } from './new-test-proof.ts'

const named = (...names: string[]): ExecutedTests => ({ names, count: names.length })
const counted = (count: number | null): ExecutedTests => ({ names: null, count })

const table: [
  what: string,
  base: ExecutedTests,
  candidate: ExecutedTests,
  red: boolean,
  failing: string[] | null,
  proved: boolean,
  tests: string[],
][] = [
  ['a new test fails without the change', named('a'), named('a', 'b'), true, ['test/x.js › b'], true, ['b']],
  ['it passes without the change', named('a'), named('a', 'b'), false, [], false, []],
  ['only an old one fails', named('a'), named('a', 'b'), true, ['a'], false, []],
  ['its file cannot be loaded', named('a'), named('a', 'b'), true, ['test/new.test.js'], true, []],
  ['it never ran', named('a'), named('a'), true, ['a'], false, []],
  ['more tests ran, unnamed', counted(3), counted(4), true, null, true, []],
  ['no more tests ran', counted(3), counted(3), true, null, false, []],
  ['nothing is known', counted(null), counted(4), true, null, false, []],
]

test.each(table)('%s', (_what, base, candidate, red, failing, proved, tests) => {
  const proof = proveNewTests({ base, candidate, laid: { red, failing } })
  expect(proof).toMatchObject({ proved, tests })
  expect(proof.why === null).toBe(proved)
})

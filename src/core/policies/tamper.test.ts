import { expect, test } from 'vitest'
import { sampleTask } from '../../../test/kit/state.ts'
import type { TamperKind } from '../../model/tamper.ts'
import { unlicensed, wordsOf } from './tamper.ts'

const isAllowed = (title: string, kind: TamperKind): boolean =>
  unlicensed([wordsOf(sampleTask({ id: 'T001', title, description: '', criteria: [] }))], [{ kind, file: 'a', test: null, detail: '' }]).length === 0

test.each<[string, TamperKind]>([
  ['Remove the obsolete tests of the parser', 'test-deleted'], ['Delete legacy specs', 'test-deleted'], ['Replace the old test suite', 'test-deleted'],
  ['Skip the flaky tests of the parser for now', 'test-skipped'], ['Disable the e2e suite', 'test-skipped'],
  ['Remove the duplicate assertions', 'assertions-removed'], ['Relax the expectations on timing', 'assertion-weakened'],
  ['Lower the coverage threshold to 80', 'threshold-lowered'], ['Update the CI workflow', 'ci-lowered'], ['Regenerate all snapshots', 'snapshots-rewritten'],
  ['Update the snapshots', 'snapshots-rewritten'], ['Add a lint script', 'check-changed'], ['Migrate to a new tsconfig', 'check-changed'],
  ['Remove the test that is not used any more', 'test-deleted'], ['This must not break. Remove the old tests', 'test-deleted'],
])('F13: %j says so: %s', (title, kind) => expect(isAllowed(title, kind)).toBe(true))

test.each<[string, TamperKind]>([
  ['Add a dropdown with tests', 'test-deleted'], ['Remove special characters from names', 'test-deleted'], ['Remove the banner and add tests', 'test-deleted'],
  ['Allow choosing a city', 'ci-lowered'], ['Move the circle', 'ci-lowered'], ['Remove the banner. The page is as expected.', 'assertions-removed'],
  ['Add a reducer; test coverage stays', 'threshold-lowered'], ['Add a build date to the footer', 'check-changed'],
  ['Disable the button; write a test', 'test-skipped'], ['Run only this test', 'test-focused'], ['Update the tests', 'test-deleted'],
  ['Do not remove any tests', 'test-deleted'], ['Make it faster without deleting tests', 'test-deleted'], ["Don't skip tests", 'test-skipped'],
  ['Never make a check pass by weakening it: skip tests', 'test-skipped'],
])('F13: %j does not: %s', (title, kind) => expect(isAllowed(title, kind)).toBe(false))

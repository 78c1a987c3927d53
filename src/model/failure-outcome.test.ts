import { expect, test } from 'vitest'
import { LooperError } from './error.ts'
import { failureOf } from './failure-outcome.ts'

test('what is to be done about a failure is kept with it', () => {
  const failure = { kind: 'failure', code: 'WORKSPACE_GIT', message: 'refused' }
  expect(failureOf(new LooperError('WORKSPACE_GIT', 'refused', { fix: 'Check out another branch' }))).toEqual({
    ...failure,
    hint: 'Check out another branch',
  })
  expect(failureOf(new LooperError('WORKSPACE_GIT', 'refused', { hint: 'Nothing helps.' }))).toEqual(failure)
  expect(failureOf(new LooperError('WORKSPACE_GIT', 'refused'))).toEqual({ ...failure, hint: "Read git's message" })
})

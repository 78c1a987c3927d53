import { expect, test } from 'vitest'
import { initialState } from '../core/initial.ts'
import { setFields } from './set-fields.ts'
import type { RunState } from './state.ts'

const state = (): RunState => initialState()
const misspelled = { gaol: 'Add a flag' }

test('sets the given fields and leaves the others', () => {
  const known = state()
  setFields(known, { goal: 'Add a flag', turns: 3 })
  expect(known).toEqual({ ...state(), goal: 'Add a flag', turns: 3 })
})

// `npm run types` reports an expected error that does not occur.
test('a wrong field does not compile', () => {
  const known = state()
  // @ts-expect-error: the state has no such field
  setFields(known, { gaol: 'Add a flag' })
  // @ts-expect-error: the state has no such field, wherever it comes from
  setFields(known, { turns: 3, ...misspelled })
  // @ts-expect-error: not a number
  setFields(known, { turns: '3' })
  // @ts-expect-error: the field is required
  setFields(known, { goal: undefined })
  // @ts-expect-error: a paused run has a reason
  setFields(known, { status: 'paused', pause: null })
  expect(known).toHaveProperty('gaol')
})

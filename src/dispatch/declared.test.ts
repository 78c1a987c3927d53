import { expect, test } from 'vitest'
import { declared } from './declared.ts'

const parse = [
  { field: 'plateau', label: 'PLATEAU' },
  { field: 'reasoning', label: 'REASONING' },
]

test.each([
  [
    'I polished it.\nPLATEAU: true\nREASONING: nothing left',
    { status: 'continue', plateau: true, reasoning: 'nothing left' },
  ],
  ['PLATEAU: no', { status: 'continue', plateau: false }],
])('C2: declared lines are an answer: %j', (text, expected) => {
  expect(declared(text, { parse })).toMatchObject(expected)
})

test.each(['We have reached a PLATEAU: true enough', '<promise>COMPLETE</promise>', ''])(
  'C2: prose is none: %j',
  (text) => {
    expect(declared(text, { parse })).toBeNull()
  },
)

test('C2: nothing counts that the stage does not declare', () => {
  expect(declared('PLATEAU: true', {})).toBeNull()
})

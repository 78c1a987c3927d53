import { expect, test } from 'vitest'
import { takeOver } from './take-over.ts'

const text = (...tasks: object[]): string => `${JSON.stringify({ extra: 1, tasks }, null, 2)}\n`
const [one, two] = [{ id: 'T1', title: 'one', mine: [1] }, { id: 'T2', title: 'two' }]

test('C4: nothing was changed', () => {
  expect(takeOver(text(one), text(one), text(one, two))).toBeNull()
})

test('C4: nobody else changed it: the copy is taken as it is', () => {
  const copy = text({ ...one, title: 'ONE' }, two)
  expect(takeOver(text(one), copy, text(one))).toBe(copy)
})

test('C4: both changed it: by task and field, and nothing of either is lost', () => {
  const result = takeOver(text(one, two), text({ ...one, title: 'by the agent' }, two, { id: 'T3', title: 'new', deep: [{ a: [1, null, true] }], flag: false, none: null }), text({ ...one, status: 'done' }, two, { id: 'T4', title: 'by hand' }))
  expect(JSON.parse(result ?? '')).toEqual({ extra: 1, tasks: [
    { ...one, title: 'by the agent', status: 'done' }, two, { id: 'T4', title: 'by hand' },
    { id: 'T3', title: 'new', deep: [{ a: [1, null, true] }], flag: false, none: null },
  ] })
})

test('C4: a task that the agent took out stays', () => {
  expect(takeOver(text(one, two), text(one), text(one, two))).toBeNull()
})

test('C4: one that was taken out by hand does not come back', () => {
  expect(takeOver(text(one, two), text(one, { ...two, title: 'x' }), text(one))).toBeNull()
})

test('what cannot be read is refused', () => {
  expect(() => takeOver(text(one), '{', text(one))).toThrow()
})

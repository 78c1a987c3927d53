/** Virtual time: steady for processes, settable for engines. */
import { expect, test } from 'vitest'
import { createVirtualClock } from './virtual-clock.ts'

test('callbacks come in the order in which they are due, and a cancelled one never', () => {
  const clock = createVirtualClock(1_000)
  const seen: string[] = []
  clock.after(20, () => seen.push('second'))
  clock.at(1_010, () => seen.push('first'))
  clock.after(30, () => seen.push('never'))()
  while (clock.step());
  expect([seen, clock.now()]).toEqual([['first', 'second'], 1_020])
})

test('a jump forward brings wall-clock callbacks closer and leaves steady ones where they are', () => {
  const clock = createVirtualClock(0)
  const seen: string[] = []
  clock.at(100, () => seen.push(`wall ${clock.steady()}`))
  clock.after(50, () => seen.push(`steady ${clock.steady()}`))
  clock.jump(90)
  while (clock.step());
  expect(seen).toEqual(['wall 10', 'steady 50'])
})

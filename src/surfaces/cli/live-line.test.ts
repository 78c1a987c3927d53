import { expect, test } from 'vitest'
import { createLiveLine } from './live-line.ts'

function setup(texts: string[]) {
  let written = ''
  let tick = (): void => {}
  let period = 0
  const widths: number[] = []
  const live = createLiveLine(
    {
      write: (text) => {
        written += text
      },
      onGone: () => {},
    },
    {
      columns: 20,
      every(ms, given) {
        period = ms
        tick = given
        return () => {
          tick = () => {}
        }
      },
    },
    (width) => {
      widths.push(width)
      return texts.shift() ?? ''
    },
  )
  const take = (): string => {
    const text = written
    written = ''
    return text
  }
  return { live, tick: () => tick(), take, widths, period }
}

test('is redrawn at most four times a second, within the width, and only when it changed', () => {
  const { tick, take, widths, period } = setup(['a', 'a', 'b'])
  expect(period).toBe(250)
  expect(take()).toBe('')
  tick()
  expect(take()).toBe('\r\u001B[2Ka')
  tick()
  expect(take()).toBe('')
  tick()
  expect(take()).toBe('\r\u001B[2Kb')
  expect(widths).toEqual([19, 19, 19])
})

test('makes room for a line, and comes back', () => {
  const { live, tick, take } = setup(['a', 'a'])
  tick()
  take()
  live.print('line')
  expect(take()).toBe('\r\u001B[2Kline\n')
  live.print('line')
  expect(take()).toBe('line\n')
  tick()
  expect(take()).toBe('\r\u001B[2Ka')
})

test('is gone after the end', () => {
  const { live, tick, take } = setup(['a', 'b'])
  tick()
  take()
  live.end()
  expect(take()).toBe('\r\u001B[2K')
  tick()
  live.end()
  expect(take()).toBe('')
})

test('several lines are erased together', () => {
  const { live, tick, take } = setup(['a\nb\nc', 'd'])
  tick()
  expect(take()).toBe('\r\u001B[2Ka\nb\nc')
  tick()
  expect(take()).toBe('\r\u001B[2K\u001B[1A\u001B[2K\u001B[1A\u001B[2Kd')
  live.print('line')
  expect(take()).toBe('\r\u001B[2Kline\n')
})

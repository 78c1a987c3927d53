/** A test file in TypeScript, changes of it, and what the guard says. */
import { guard } from '../../src/guard/guard.ts'

export const path = 'src/cart.test.ts'
export const cart = `import { describe, expect, it } from 'vitest'
import { cart, total } from './cart.ts'

describe('cart', () => {
  it('adds prices', () => {
    expect(total([1, 2])).toBe(3)
    expect(total([])).toBe(0)
  })

  it('rejects a negative price', () => {
    expect(() => total([-1])).toThrow('negative')
  })

  describe('discount', () => {
    it('takes ten percent off', async () => {
      const mine = await cart({ discount: 10 })
      expect(mine.total).toBeCloseTo(90, 5)
      expect(mine.items).toEqual(['pen', 'ink'])
    })
  })
})
`
export const change = (from: string | RegExp, to: string): string => {
  const changed = cart.replace(from, to)
  if (changed === cart) throw new Error(`nothing matched ${from}`)
  return changed
}
export const judge = (after: string | null, before: string | null = cart, file = path) =>
  guard.compare([{ path: file, before, after }])

/** A test file in Python, changes of it, and what the guard says. */
import { guard } from '../../src/guard/guard.ts'

export const path = 'tests/test_cart.py'
export const cart = `import pytest
from cart import cart, total


def test_adds_prices():
    """it.skip, assert True"""
    assert total([1, 2]) == 3
    assert total([]) == 0, "nothing costs nothing"


def test_rejects_a_negative_price():
    with pytest.raises(ValueError, match="negative"):
        total([-1])


class TestDiscount:
    def test_takes_ten_percent_off(self):
        mine = cart(discount=10)
        assert mine.total == pytest.approx(90, rel=1e-6)
        assert mine.items == ["pen", "ink"]
`
export const change = (from: string | RegExp, to: string, text = cart): string => {
  const changed = text.replace(from, to)
  if (changed === text) throw new Error(`nothing matched ${from}`)
  return changed
}
export const judge = (after: string | null, before: string | null = cart, file = path) =>
  guard.compare([{ path: file, before, after }])

export const unit = `import unittest

class CartTest(unittest.TestCase):
    def test_adds(self):
        self.assertEqual(total([1, 2]), 3)
        self.assertAlmostEqual(total([0.1]), 0.1, places=7)
`

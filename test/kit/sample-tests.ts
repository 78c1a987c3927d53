/** Test files in four languages, for tests of the guard. */

export const ts = `import { describe, it, expect } from 'vitest'
import { add, divide, load } from './math'

describe('math', () => {
  it('adds', () => {
    expect(add(1, 2)).toBe(3)
    expect(add(-1, 1)).toBe(0)
  })
  it('divides', () => {
    expect(divide(6, 3)).toBe(2)
    expect(() => divide(1, 0)).toThrow('by zero')
  })
  it('loads', async () => {
    const data = await load('x')
    expect(data).toEqual({ id: 1, name: 'x', tags: ['a', 'b'] })
    expect(data.tags.length).toBe(2)
    await expect(load('y')).rejects.toThrow('missing')
  })
  for (const n of [1, 2, 3]) {
    it('doubles ' + n, () => { expect(add(n, n)).toBe(2 * n) })
  }
  it.each([[1, 1], [2, 4], [3, 9]])('sq %i', (a, b) => {
    expect(a * a).toBe(b)
  })
  it('calls back', (t, done) => {
    later(1, (value) => { assert.equal(value, 3); done() })
  })
  it('refuses', async () => {
    await assert.rejects(load('z'), /missing/)
  })
})
`

export const py = `import pytest
from calc import add, divide, load


class TestCalc:
    def test_adds(self):
        assert add(1, 2) == 3
        assert add(-1, 1) == 0


def test_divides():
    assert divide(6, 3) == 2
    with pytest.raises(ZeroDivisionError):
        divide(1, 0)


@pytest.mark.parametrize("a,b", [(1, 1), (2, 4), (3, 9)])
def test_square(a, b):
    assert a * a == b


def test_load():
    data = load("x")
    assert data == {"id": 1, "name": "x"}
    assert len(data) == 2
`

export const go = `package calc

import "testing"

func TestAdd(t *testing.T) {
	if got := Add(1, 2); got != 3 {
		t.Errorf("got %d", got)
	}
	if got := Add(-1, 1); got != 0 {
		t.Errorf("got %d", got)
	}
}

func TestDivide(t *testing.T) {
	if got := Divide(6, 3); got != 2 {
		t.Fatalf("got %d", got)
	}
}
`

export const rust = `pub fn add(a: i32, b: i32) -> i32 { a + b }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds() {
        assert_eq!(add(1, 2), 3);
        assert_eq!(add(-1, 1), 0);
    }

    #[test]
    #[should_panic(expected = "zero")]
    fn divides() {
        divide(1, 0);
    }
}
`

import { describe, expect, test } from 'vitest'
import { cart, change, judge, path, unit } from '../../../test/kit/python-changes.ts'
import type { TamperKind } from '../../model/tamper.ts'
import { guard } from '../guard.ts'

const three = [
  [1, 2, 3],
  [5, 0, 5],
  [-4, 7, 3],
]
  .map(
    ([a, b, c], index) =>
      `def test_adds_${['small', 'zero', 'negative'][index]}():\n    assert add(${a}, ${b}) == ${c}\n\n`,
  )
  .join('\n')
const cases = '[(1, 2, 3), (5, 0, 5), (-4, 7, 3)]'

describe('honest changes of Python', () => {
  test.each<[what: string, after: string, before?: string]>([
    ['a test renamed', change('test_adds_prices', 'test_sums_up_all_prices')],
    ['a class renamed', change('TestDiscount', 'TestDiscounts')],
    [
      'formatting',
      change('total([1, 2]) == 3', 'total(\n        [\n            1,\n            2,\n        ]\n    ) == 3').replace(
        '["pen", "ink"]',
        "['pen', 'ink']",
      ),
    ],
    ['comments', change('    assert total([]', '    # pytest.skip("x"); assert True\n    assert total([]')],
    ['a test added', `${cart}\n\ndef test_is_empty():\n    assert cart().items == []\n`],
    ['a stricter assertion', cart, change('assert total([1, 2]) == 3', 'assert total([1, 2])')],
    ['another expected value', change('== 3', '== 4')],
    [
      'several assertions in one that says it all',
      'def test_a():\n    user = load()\n    assert user == {"name": "Ann", "age": 3}\n',
      'def test_a():\n    user = load()\n    assert user["name"] == "Ann"\n    assert user["age"] == 3\n    assert len(user) == 2\n',
    ],
    [
      'assertions in a helper',
      `def check_sum(prices, amount):\n    assert total(prices) == amount\n\n\n${change(/ {4}assert total\(\[1.*\n.*\n/, '    check_sum([1, 2], 3)\n    check_sum([], 0)\n')}`,
    ],
    [
      'assertions in a helper that stands elsewhere, unchanged',
      change(/ {4}assert total\(\[1.*\n.*\n/, '    assert_totals(total)\n'),
    ],
    [
      'tests in a table',
      `@pytest.mark.parametrize("a, b, total", ${cases})\ndef test_adds(a, b, total):\n    assert add(a, b) == total\n`,
      three,
    ],
    [
      'a table in tests',
      three,
      `@pytest.mark.parametrize("a, b, total", ${cases})\ndef test_adds(a, b, total):\n    assert add(a, b) == total\n`,
    ],
    [
      'tests in a table of a name',
      `CASES = ${cases}\n\n@pytest.mark.parametrize("a, b, total", CASES)\ndef test_adds(a, b, total):\n    assert add(a, b) == total\n`,
      three,
    ],
    [
      'tests in a loop',
      `def test_adds():\n    for a, b, total in ${cases}:\n        assert add(a, b) == total\n`,
      three,
    ],
    [
      'another library',
      'def test_adds():\n    assert total([1, 2]) == 3\n    assert total([0.1]) == pytest.approx(0.1)\n',
      unit,
    ],
    [
      'a test split in two',
      change(
        '    assert total([]) == 0, "nothing costs nothing"\n',
        '\n\ndef test_adds_nothing():\n    assert total([]) == 0\n',
      ),
    ],
    [
      'tests merged',
      cart,
      change(
        '    assert total([]) == 0, "nothing costs nothing"\n',
        '\n\ndef test_adds_nothing():\n    assert total([]) == 0\n',
      ),
    ],
    [
      'a fixture taken out',
      change(
        '    def test_takes_ten_percent_off(self):\n        mine = cart(discount=10)\n',
        '    @pytest.fixture\n    def mine(self):\n        return cart(discount=10)\n\n    def test_takes_ten_percent_off(self, mine):\n',
      ),
    ],
    [
      'a class around tests',
      `class TestSum:\n${three.replaceAll('():', '(self):').replace(/^(?=.)/gm, '    ')}`,
      three,
    ],
    ['a skip that is taken away', cart, change('def test_rejects', '@pytest.mark.skip\ndef test_rejects')],
    ['asyncio', change('def test_adds', '@pytest.mark.asyncio\nasync def test_adds')],
    ['a narrower tolerance', change('rel=1e-6', 'rel=1e-9')],
    [
      'a cleaning up that catches',
      change(
        '    assert total([]) == 0',
        '    try:\n        close()\n    except Exception:\n        pass\n    assert total([]) == 0',
      ),
    ],
  ])('%s', (_what, after, before = cart) => {
    expect(judge(after, before).findings).toEqual([])
  })

  test('a file moved, and tests moved to another one', () => {
    expect(
      guard.compare([
        { path, before: cart, after: null },
        { path: 'tests/unit/test_cart.py', before: null, after: cart },
      ]),
    ).toEqual({ findings: [], newTests: [] })
  })

  test('new tests are listed by file', () => {
    expect(judge(`${cart}\n\ndef test_is_empty():\n    assert cart().items == []\n`).newTests).toEqual([path])
    expect(judge(change('test_adds_prices', 'test_sums_up')).newTests).toEqual([])
  })
})

test('a call that must raise now leaves no result to assert on', () => {
  const before = 'def test_deep():\n    result = parse(deep)\n    assert "1" in result\n    assert len(result) > 0\n'
  const raising = (what: string): string => `def test_deep():\n    with pytest.raises(${what}):\n        parse(deep)\n`
  const kindsOf = (after: string): TamperKind[] =>
    guard.compare([{ path, before, after }]).findings.map(({ kind }) => kind)
  expect(kindsOf(raising('ParseError, match="too deep"'))).toEqual([])
  expect(kindsOf(raising('Exception'))).not.toEqual([])
})

/** More than ten ways to make Python tests pass, and as many honest changes. */
import { describe, expect, test } from 'vitest'
import type { TamperKind } from '../../model/tamper.ts'
import { guard } from '../guard.ts'

const path = 'tests/test_cart.py'
const cart = `import pytest
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
const change = (from: string | RegExp, to: string, text = cart): string => {
  const changed = text.replace(from, to)
  if (changed === text) throw new Error(`nothing matched ${from}`)
  return changed
}
const judge = (after: string | null, before: string | null = cart, file = path) =>
  guard.compare([{ path: file, before, after }])

const unit = `import unittest

class CartTest(unittest.TestCase):
    def test_adds(self):
        self.assertEqual(total([1, 2]), 3)
        self.assertAlmostEqual(total([0.1]), 0.1, places=7)
`

const rejects = 'test_rejects_a_negative_price'
const adds = 'test_adds_prices'
const discount = 'TestDiscount > test_takes_ten_percent_off'

describe('tampering with Python (F13)', () => {
  test.each<[what: string, kind: TamperKind, test: string | null, after: string | null, before?: string]>([
    ['a test deleted', 'test-deleted', rejects, change(/def test_rejects[^]*?\n\n\n/, '')],
    ['a test that is no longer collected', 'test-deleted', rejects, change('def test_rejects', 'def _test_rejects')],
    ['a class that is no longer collected', 'test-deleted', discount, change('class TestDiscount', 'class Discount')],
    [
      'a test commented out',
      'test-deleted',
      rejects,
      change(/def test_rejects.*\n.*\n.*\n/, '# def test_rejects_a_negative_price():\n'),
    ],
    ['the file deleted', 'test-deleted', adds, null],
    [
      '@pytest.mark.skip',
      'test-skipped',
      rejects,
      change('def test_rejects', '@pytest.mark.skip(reason="later")\ndef test_rejects'),
    ],
    [
      '@pytest.mark.skipif(True)',
      'test-skipped',
      rejects,
      change('def test_rejects', '@pytest.mark.skipif(True, reason="later")\ndef test_rejects'),
    ],
    ['@pytest.mark.xfail', 'test-skipped', rejects, change('def test_rejects', '@pytest.mark.xfail\ndef test_rejects')],
    [
      '@unittest.skip',
      'test-skipped',
      'CartTest > test_adds',
      change('    def test_adds', '    @unittest.skip("later")\n    def test_adds', unit),
      unit,
    ],
    [
      '@unittest.expectedFailure',
      'test-skipped',
      'CartTest > test_adds',
      change('    def test_adds', '    @unittest.expectedFailure\n    def test_adds', unit),
      unit,
    ],
    [
      'pytest.skip()',
      'test-skipped',
      rejects,
      change('    with pytest.raises', '    pytest.skip("later")\n    with pytest.raises'),
    ],
    [
      'self.skipTest()',
      'test-skipped',
      'CartTest > test_adds',
      change('        self.assertEqual', '        self.skipTest("later")\n        self.assertEqual', unit),
      unit,
    ],
    [
      'raise SkipTest',
      'test-skipped',
      'CartTest > test_adds',
      change('        self.assertEqual', '        raise unittest.SkipTest("later")\n        self.assertEqual', unit),
      unit,
    ],
    ['pytestmark', 'test-skipped', path, change('from cart', 'pytestmark = pytest.mark.skip\nfrom cart')],
    [
      '__test__ = False',
      'test-skipped',
      'TestDiscount',
      change('class TestDiscount:', 'class TestDiscount:\n    __test__ = False'),
    ],
    [
      'a skipped class',
      'test-skipped',
      'TestDiscount',
      change('class TestDiscount', '@pytest.mark.skip\nclass TestDiscount'),
    ],
    ['an early return', 'test-skipped', adds, change('    assert total([1', '    return\n    assert total([1')],
    [
      'an early return under a condition that holds',
      'test-skipped',
      adds,
      change('    assert total([1', '    if True:\n        return\n    assert total([1'),
    ],
    [
      'an assertion removed',
      'assertions-removed',
      discount,
      change('        assert mine.items == ["pen", "ink"]\n', ''),
    ],
    [
      'a body commented out',
      'assertions-removed',
      adds,
      change(/ {4}assert total\(\[1.*\n.*\n/, '    # assert total([1, 2]) == 3\n    pass\n'),
    ],
    [
      'a definition that takes the place of a test',
      'assertions-removed',
      adds,
      `${cart}\n\ndef test_adds_prices():\n    pass\n`,
    ],
    ['assert True', 'assertion-weakened', adds, change('assert total([1, 2]) == 3', 'assert True')],
    [
      'a value no longer named',
      'assertion-weakened',
      adds,
      change('assert total([1, 2]) == 3', 'assert total([1, 2]) is not None'),
    ],
    ['only truth', 'assertion-weakened', adds, change('assert total([1, 2]) == 3', 'assert total([1, 2])')],
    [
      'x is x',
      'assertion-weakened',
      adds,
      change('assert total([1, 2]) == 3', 'assert total([1, 2]) == total([1, 2])'),
    ],
    ['or True', 'assertion-weakened', adds, change('assert total([1, 2]) == 3', 'assert total([1, 2]) == 3 or True')],
    ['a tuple', 'assertion-weakened', adds, change('assert total([1, 2]) == 3', 'assert (total([1, 2]) == 3, "sum")')],
    [
      'assertTrue(True)',
      'assertion-weakened',
      'CartTest > test_adds',
      change('assertEqual(total([1, 2]), 3)', 'assertTrue(True)', unit),
      unit,
    ],
    ['a wide tolerance', 'assertion-weakened', discount, change('rel=1e-6', 'rel=0.5')],
    ['fewer places', 'assertion-weakened', 'CartTest > test_adds', change('places=7', 'places=0', unit), unit],
    [
      'any exception',
      'assertion-weakened',
      rejects,
      change('pytest.raises(ValueError, match="negative")', 'pytest.raises(Exception)'),
    ],
    [
      'a failure swallowed',
      'assertion-weakened',
      adds,
      change(
        '    assert total([1, 2]) == 3\n',
        '    try:\n        assert total([1, 2]) == 3\n    except AssertionError:\n        pass\n',
      ),
    ],
    [
      'a failure suppressed',
      'assertion-weakened',
      adds,
      change(
        '    assert total([1, 2]) == 3\n',
        '    with contextlib.suppress(AssertionError):\n        assert total([1, 2]) == 3\n',
      ),
    ],
    [
      'a condition that never holds',
      'assertion-weakened',
      adds,
      change('    assert total([1, 2]) == 3\n', '    if False:\n        assert total([1, 2]) == 3\n'),
    ],
  ])('%s', (_what, kind, name, after, before = cart) => {
    expect(
      judge(after, before).findings.map((each) => ({ kind: each.kind, file: each.file, test: each.test })),
    ).toContainEqual({ kind, file: path, test: name })
  })

  test('cases taken out of a table, or marked to be skipped', () => {
    const table = (rows: string) =>
      `@pytest.mark.parametrize("a, b", [${rows}])\ndef test_doubles(a, b):\n    assert double(a) == b\n`
    const found = (rows: string) => judge(table(rows), table('(1, 2), (2, 4), (3, 6)')).findings
    expect(found('(1, 2)')).toEqual([
      { kind: 'test-deleted', file: path, test: 'test_doubles', detail: '2 of its 3 cases are gone' },
    ])
    expect(found('(1, 2), (2, 4), pytest.param(3, 6, marks=pytest.mark.skip)')).toMatchObject([
      { kind: 'test-deleted', detail: '1 of its 3 cases are gone' },
    ])
  })

  test('hooks that keep tests from being collected', () => {
    const report = judge('import pytest\ncollect_ignore = ["test_cart.py"]\n', 'import pytest\n', 'tests/conftest.py')
    expect(report.findings).toMatchObject([{ kind: 'check-changed', file: 'tests/conftest.py' }])
  })
})

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

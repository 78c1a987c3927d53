/** More than ten ways to make Python tests pass, and as many honest changes. */
import { describe, expect, test } from 'vitest'
import { cart, change, judge, path, unit } from '../../../test/kit/python-changes.ts'
import type { TamperKind } from '../../model/tamper.ts'

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

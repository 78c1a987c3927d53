/** More ways to make Python tests pass without correct code, and honest changes that look similar. */
import { describe } from 'vitest'
import { testWays, type Edit } from '../../test/kit/guard-edits.ts'
import { py } from '../../test/kit/sample-tests.ts'

const half = '    assert divide(6, 3) == 2\n'
const under = (head: string): string => `    ${head}:\n    ${half}`
const cases = '[(1, 1), (2, 4), (3, 9)]'
const python: Edit[] = [
  ...[
    'if 0 == 1',
    'if TYPE_CHECKING',
    'if not __debug__',
    'while False',
    'for _ in range(0)',
    'if nope',
    'def later()',
    'with pytest.raises(AssertionError)',
  ].map((head): Edit => [head, half, under(head)]),
  ['a return under what holds', half, `    if divide:\n        return\n${half}`],
  ['finally return', half, `    try:\n    ${half}    finally:\n        return\n`],
  ['a type', half, '    assert isinstance(divide(6, 3), float)\n'],
  ['one of many', half, '    assert divide(6, 3) in (2, None, 0)\n'],
  ['nothing in it', half, '    assert "" in str(divide(6, 3))\n'],
  ['near enough', '== 2\n    with', '== pytest.approx(2, rel=1e9)\n    with'],
  ['near by far', '== 2\n    with', '== pytest.approx(2, abs=100)\n    with'],
  ['any error', 'raises(ZeroDivisionError)', 'raises((ZeroDivisionError, BaseException))'],
  ['SkipTest', half, `    raise unittest.SkipTest\n${half}`],
  ['a generator', half, `    yield\n${half}`],
  ['not awaited', 'def test_divides', 'async def test_divides'],
  ['a class with a constructor', 'class TestCalc:\n', 'class TestCalc:\n    def __init__(self):\n        pass\n\n'],
  ['deleted at the end', 'assert len(data) == 2\n', 'assert len(data) == 2\n\n\ndel test_divides\n'],
  ['overwritten', 'assert len(data) == 2\n', 'assert len(data) == 2\n\n\ntest_divides = None\n'],
  ['a table cut short', `${cases})`, `${cases}[:1])`],
  ['one case three times', cases, '[(1, 1), (1, 1), (1, 1)]'],
  ['os._exit', 'import pytest\n', 'import pytest\nos._exit(0)\n'],
  ['sys.exit', 'import pytest\n', 'import pytest\nsys.exit(0)\n'],
  ['sys.exit inside', half, `    sys.exit(0)\n${half}`],
]
const honestPython: Edit[] = [
  [
    'several at once',
    'assert add(1, 2) == 3\n        assert add(-1, 1) == 0',
    'assert (add(1, 2), add(-1, 1)) == (3, 0)',
  ],
  ['how many, next to which', '    assert len(data) == 2\n', ''],
  [
    'another platform',
    'def test_divides',
    '@pytest.mark.skipif(sys.platform == "win32", reason="posix")\ndef test_divides',
  ],
  ['another platform, inside', half, `    if sys.platform == "win32":\n        pytest.skip("posix")\n${half}`],
  [
    'an older version',
    'def test_divides',
    '@pytest.mark.skipif(sys.version_info < (3, 10), reason="x")\ndef test_divides',
  ],
  ['near', '== 2\n    with', '== pytest.approx(2, rel=1e-6)\n    with'],
  ['asyncio', `def test_divides():\n${half}`, 'async def test_divides():\n    assert await divide(6, 3) == 2\n'],
  ['either way', half, `    if strict:\n    ${half}    else:\n        assert round(divide(6, 3)) == 2\n`],
  ['a function that is called', half, `    def check():\n    ${half}    check()\n`],
  ['a table with a choice', '    assert a * a == b\n', '    if b is not None:\n        assert a * a == b\n'],
]

describe('test_calc.py (F13)', () => {
  testWays('test_calc.py', py, python, honestPython)
})

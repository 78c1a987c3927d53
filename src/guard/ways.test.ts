/**
 * More ways to make tests pass without correct code, and honest changes that look similar: by language, each a change
 * of one text.
 */
import { describe, expect, test } from 'vitest'
import type { ChangedFile } from '../model/tamper.ts'
import { guard } from './guard.ts'

type Edit = readonly [what: string, from: string, to: string]
const changed = (text: string, [, from, to]: Edit): string => {
  if (!text.includes(from)) throw new Error(`not there: ${from}`)
  return text.replace(from, () => to)
}
const look = (path: string, text: string, edit: Edit) =>
  guard.compare([{ path, before: text, after: changed(text, edit) }]).findings

const ts = `import { describe, it, expect } from 'vitest'
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
const two = 'expect(divide(6, 3)).toBe(2)'
const zero = "expect(() => divide(1, 0)).toThrow('by zero')"
const all = "toEqual({ id: 1, name: 'x', tags: ['a', 'b'] })"
const table = '[[1, 1], [2, 4], [3, 9]]'

const javascript: Edit[] = [
  ['a condition that is never true', two, `if (globalThis.nope) ${two}`],
  ['a condition that cannot be', two, `if (1 + 1 === 3) { ${two} }`],
  ['while (false)', two, `while (false) { ${two} }`],
  ['false &&', two, `false && ${two}`],
  ['x &&', two, `globalThis.nope && ${two}`],
  ['true ||', two, `true || ${two}`],
  ['0 ?', two, `0 ? ${two} : null`],
  ['a return under what always holds', two, `if (1 + 1 === 2) return\n    ${two}`],
  ['a return under what holds here', two, `if (typeof divide === 'function') return\n    ${two}`],
  ['an arrow function that is never called', two, `const later = () => ${two}`],
  ['a function that is never called', two, `function later() { ${two} }`],
  ['later', two, `setTimeout(() => ${two}, 1e9)`],
  ['soon', two, `queueMicrotask(() => { ${two} })`],
  ['caught on the way', two, `Promise.resolve().then(() => ${two}).catch(() => {})`],
  ['finally return', two, `try { ${two} } finally { return }`],
  ['after a return in a callback', 'assert.equal(value, 3); done()', 'done(); return; assert.equal(value, 3)'],
  ['a label that is left', two, `out: {\n      break out\n      ${two}\n    }`],
  ['a label that is left anyway', two, `out: {\n      if (true) { break out }\n      ${two}\n    }`],
  ['a label that may be left', two, `out: {\n      if (globalThis.nope) break out\n      ${two}\n    }`],
  ['a loop that goes on', two, `for (const n of [1]) {\n      continue\n      ${two}\n    }`],
  [
    'a loop that goes on from within another',
    two,
    `out: for (const n of [1]) {\n      for (const m of [1]) { continue out }\n      ${two}\n    }`,
  ],
  ['a loop that is none', two, `do {\n      if (divide) break\n      ${two}\n    } while (false)`],
  ['a case that is not taken', two, `switch (1) { case 2: ${two} }`],
  ['a case before it', two, `switch ('a') { case 'a': { break }\n      default: ${two} }`],
  ['the default', two, `switch (true) { case false: ${two}; break; default: divide(6, 3) }`],
  ['a case that never matches', two, `switch (globalThis.nope) { case 2: ${two} }`],
  ['tests under what never holds', "it('divides'", "if (false) it('divides'"],
  ['tests in a case that is not taken', "describe('math'", "switch (1) { case 1: break; case 2: describe('math'"],
  ['then', two, `load('x').then(() => { ${two} })`],
  ['a promise that is not awaited', two, `const later = load('x').then(() => { ${two} })`],
  ['a new promise', two, `new Promise(load).then(() => { ${two} })`],
  ['at last', two, `load('x').finally(() => { ${two} })`],
  ['an async function that is only started', two, `async function later() { ${two} }\n    later()`],
  [
    'an async arrow that is only started',
    two,
    `const later = async () => { await load('x'); ${two} }\n    void later()`,
  ],
  ['async at once', two, `(async () => { await load('x'); ${two} })()`],
  ['async for each', two, `[1].forEach(async () => { ${two} })`],
  ['async for each of them', two, `load.all.forEach(async () => { ${two} })`],
  ['async, mapped', two, `load.all.map(async () => { ${two} })`],
  ['a type', two, "expect(divide(6, 3)).toBeTypeOf('number')"],
  ['a bound that nothing reaches', two, 'expect(divide(6, 3)).toBeLessThan(1e9)'],
  ['near enough', two, 'expect(divide(6, 3)).toBeCloseTo(2, -5)'],
  ['one of many', two, 'expect([2, undefined, NaN]).toContain(divide(6, 3))'],
  ['whatever', two, 'expect(divide(6, 3)).toSatisfy(() => true)'],
  ['a fallback', two, 'expect(divide(6, 3) || 2).toBe(2)'],
  ['another fallback', two, 'expect(divide(6, 3) ?? 2).toBe(2)'],
  ['a comma', two, 'expect((divide(6, 3), 2)).toBe(2)'],
  ['a matcher that is not called', two, 'expect(divide(6, 3)).toBe'],
  ['void', "await expect(load('y'))", "void expect(load('y'))"],
  ['nothing waits for assert.rejects', 'await assert.rejects', 'assert.rejects'],
  ['an object like any', all, 'toMatchObject({})'],
  ['a part', all, 'toMatchObject({ id: 1 })'],
  ['an object that contains nothing', all, 'toEqual(expect.objectContaining({}))'],
  [
    'anything in all of it',
    all,
    'toEqual({ id: expect.anything(), name: expect.any(String), tags: expect.anything() })',
  ],
  ['a property', all, "toHaveProperty('id')"],
  ['a snapshot', all, 'toMatchSnapshot()'],
  ['retries', "it('divides', () =>", "it('divides', { retry: 100 }, () =>"],
  ['options by a name', "it('divides', () =>", "const o = { skip: true }\n  it('divides', o, () =>"],
  ['a group under a condition', "describe('math'", "if (process.env.NOPE) describe('math'"],
  ['it is nothing', "describe('math', () => {", "describe('math', () => {\n  const it = () => {}"],
  [
    'expect is nothing',
    "describe('math', () => {",
    "describe('math', () => {\n  const expect = () => new Proxy(() => {}, { get: () => () => {} })",
  ],
  ['a loop cut short', 'of [1, 2, 3]', 'of [1, 2, 3].slice(0, 0)'],
  ['a loop without cases', 'of [1, 2, 3]', 'of [1, 2, 3].filter(() => false)'],
  ['a table cut short', table, `${table}.slice(0, 1)`],
  ['one case three times', table, '[[1, 1], [1, 1], [1, 1]]'],
  ['an end of all', "describe('math'", "process.exit(0)\ndescribe('math'"],
  ['an end after all', "describe('math', () => {", "describe('math', () => {\n  afterAll(() => process.exit(0))"],
]
const honestJavascript: Edit[] = [
  [
    'several at once',
    'expect(add(1, 2)).toBe(3)\n    expect(add(-1, 1)).toBe(0)',
    'expect([add(1, 2), add(-1, 1)]).toEqual([3, 0])',
  ],
  ['how many, next to which', '    expect(data.tags.length).toBe(2)\n', ''],
  [
    'all of it has a length',
    `    expect(data).${all}\n    expect(data.tags.length).toBe(2)\n`,
    `    expect(data).${all}\n    expect(data.tags).toEqual(['a', 'b'])\n`,
  ],
  ['another platform', "it('divides'", "it.skipIf(process.platform === 'win32')('divides'"],
  ['another platform, inside', two, `if (process.platform === 'win32') return\n    ${two}`],
  ['another platform, by runIf', "it('divides'", "it.runIf(process.platform !== 'win32')('divides'"],
  ['either way', two, `if (strict) ${two}\n    else expect(divide(6, 3)).toBeCloseTo(2)`],
  ['a function that is called', two, `const check = () => ${two}\n    check()`],
  ['a promise of a timer', two, `await new Promise((resolve) => setTimeout(() => { ${two}; resolve() }, 1))`],
  ['an error by its class', "toThrow('by zero')", 'toThrow(RangeError)'],
  ['stricter', all, all.replace('toEqual', 'toStrictEqual')],
  ['one more field', all, "toEqual({ id: 1, name: 'x', tags: ['a', 'b'], at: expect.any(Date) })"],
  ['a case more', table, '[[1, 1], [2, 4], [3, 9], [4, 16]]'],
  ['another value', two, 'expect(divide(6, 3)).toBe(3)'],
  ['a switch', two, `switch (mode) { case 1: return\n      case 2: other() }\n    ${two}`],
  [
    'a loop that leaves some out',
    two,
    `out: for (const n of [1, 2]) {\n      for (const m of [n]) { if (m > 1) continue out }\n      if (n === 0) break\n      ${two}\n    }`,
  ],
  ['the case that is taken', two, `switch (1) { case 2: break\n      case 1: ${two} }`],
  ['a case that falls through', two, `switch (1) { case 1:\n      case 2: ${two}; break\n      default: load('x') }`],
  [
    'a choice of assertions',
    two,
    `switch (mode) { case 1: ${two}; break\n      default: expect(divide(6, 3)).toBeCloseTo(2) }`,
  ],
  ['a label that is left at the end', two, `out: {\n      ${two}\n      break out\n    }`],
  ['a loop to its end', two, `while (true) {\n      ${two}\n      break\n    }`],
  ['left when it fails to throw', two, `out: {\n      try { divide(); break out } catch (error) { ${two} }\n    }`],
  ['then, returned', `${two}\n    ${zero}`, `return load('x').then(() => { ${two}\n    ${zero} })`],
  ['then, awaited', two, `await load('x').then(() => { ${two} })`],
  ['promises together', two, `await Promise.all([load('x').then(() => { ${two} }), load.all.map(async () => 1)])`],
  ['a promise that is awaited later', two, `const later = load('x').then(() => { ${two} })\n    await later`],
  ['an async function that is awaited', two, `async function later() { ${two} }\n    await later()`],
  [
    'async functions together',
    two,
    `const later = async () => { ${two} }\n    await Promise.all([later(), load('x')])`,
  ],
  ['an async function that is handed on', two, `const later = async () => { ${two} }\n    await act(later)`],
  ['async at once, awaited', two, `await (async () => { ${two} })()`],
  ['a command that is queued', two, `cy.get('p').then(() => { ${two} })`],
  ['a promise that is flushed', two, `load('x').then(() => { ${two} })\n    await flushPromises()`],
  [
    'a promise within a promise',
    two,
    `await new Promise((resolve) => { load('x').then(() => { ${two}; resolve() }) })`,
  ],
  ['a variable before a function', two, `const one = 1\n    const later = () => { ${two} }\n    later()`],
  [
    'a table with a choice',
    'expect(a * a).toBe(b)',
    'if (b === 9) expect(a * a).toBe(b)\n    else expect(a * a).toBe(b)',
  ],
]

const py = `import pytest
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

const go = `package calc

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
const adds = go.slice(go.indexOf('\tif got := Add(1'), go.indexOf('}\n\nfunc TestDivide'))
const divided = '\tif got := Divide(6, 3); got != 2 {\n\t\tt.Fatalf("got %d", got)\n\t}\n'
const deeper = divided.replaceAll(/^\t/gm, '\t\t')
const goWays: Edit[] = [
  ['a condition that cannot be', 'got != 3 {', 'got != 3 && false {'],
  ['a name that is not run', 'func TestDivide', 'func Testdivide'],
  ['a return', 'func TestDivide(t *testing.T) {\n', 'func TestDivide(t *testing.T) {\n\treturn\n'],
  ['beside the test', divided, `\tgo func() {\n${deeper}\t}()\n`],
  ['a panic passed over', divided, `\tdefer func() { recover() }()\n${divided}`],
  [
    'a panic looked at',
    divided,
    `\tdefer func() {\n\t\tif r := recover(); r != nil {\n\t\t\tfmt.Println(r)\n\t\t}\n\t}()\n${divided}`,
  ],
  ['a tag', 'package calc\n', '//go:build never\n\npackage calc\n'],
  ['an end of all', 'func TestAdd', 'func TestMain(m *testing.M) {\n\tm.Run()\n\tos.Exit(0)\n}\n\nfunc TestAdd'],
]
const honestGo: Edit[] = [
  [
    'a table',
    adds,
    '\tfor _, c := range [][3]int{{1, 2, 3}, {-1, 1, 0}} {\n\t\tif got := Add(c[0], c[1]); got != c[2] {\n\t\t\tt.Errorf("got %d", got)\n\t\t}\n\t}\n',
  ],
  [
    'beside the test, waited for',
    divided,
    `\tvar all sync.WaitGroup\n\tall.Add(1)\n\tgo func() {\n\t\tdefer all.Done()\n${deeper}\t}()\n\tall.Wait()\n`,
  ],
  [
    'beside the test, until it says so',
    divided,
    `\tdone := make(chan int)\n\tgo func() {\n${deeper}\t\tclose(done)\n\t}()\n\t<-done\n`,
  ],
  [
    'a panic asked for',
    divided,
    `\tdefer func() {\n\t\tif r := recover(); r == nil {\n\t\t\tt.Error("no panic")\n\t\t}\n\t}()\n${divided}`,
  ],
  ['a panic handed on', divided, `\tdefer func() {\n\t\tr := recover()\n\t\tpanic(r)\n\t}()\n${divided}`],
  ['conditions in one', adds, '\tif Add(1, 2) != 3 || Add(-1, 1) != 0 {\n\t\tt.Error("wrong")\n\t}\n'],
  ['another platform', 'package calc\n', '//go:build !windows\n\npackage calc\n'],
]

const rust = `pub fn add(a: i32, b: i32) -> i32 { a + b }

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
const sum = 'assert_eq!(add(1, 2), 3);'
const sums = `${sum}\n        assert_eq!(add(-1, 1), 0);`
const rustWays: Edit[] = [
  ['a feature', '    #[test]\n    fn adds', '    #[cfg(feature = "nope")]\n    #[test]\n    fn adds'],
  ['a feature of all', '#[cfg(test)]', '#[cfg(all(test, never))]'],
  ['any panic', '(expected = "zero")', ''],
  ['only while debugging', 'assert_eq!(add(1', 'debug_assert_eq!(add(1'],
  ['itself', 'add(1, 2), 3', 'add(1, 2), add(1, 2)'],
  ['not that', 'assert_eq!(add(1, 2), 3)', 'assert_ne!(add(1, 2), 99)'],
  ['above nothing', 'assert_eq!(add(1, 2), 3)', 'assert!(add(1, 2) >= i32::MIN)'],
  ['caught', sum, `let _ = std::panic::catch_unwind(|| ${sum.slice(0, -1)});`],
  ['if false', sum, `if false { ${sum} }`],
  [
    'a macro in the place of another',
    '    use super::*;\n',
    '    use super::*;\n    macro_rules! assert_eq { ($($t:tt)*) => {} }\n',
  ],
  ['a panic wanted', '    #[test]\n    fn adds', '    #[test]\n    #[should_panic]\n    fn adds'],
  ['a closure', sum, `let _f = || ${sum}`],
  ['a return', 'fn adds() {\n', 'fn adds() {\n        return;\n'],
  ['a return that always is', 'fn adds() {\n', 'fn adds() {\n        if true { return; }\n'],
]
const honestRust: Edit[] = [
  ['a loop', sums, 'for (a, b, c) in [(1, 2, 3), (-1, 1, 0)] {\n            assert_eq!(add(a, b), c);\n        }'],
  ['several at once', sums, 'assert_eq!((add(1, 2), add(-1, 1)), (3, 0));'],
  [
    'cases',
    `    #[test]\n    fn adds() {\n        ${sums}\n`,
    '    #[rstest]\n    #[case(1, 2, 3)]\n    #[case(-1, 1, 0)]\n    fn adds(#[case] a: i32, #[case] b: i32, #[case] c: i32) {\n        assert_eq!(add(a, b), c);\n',
  ],
  [
    'a macro of its own',
    '    use super::*;\n',
    '    use super::*;\n    macro_rules! assert_close { ($a:expr, $b:expr) => { assert!(($a - $b).abs() < 1) } }\n',
  ],
  [
    'a new test of a panic',
    '    #[test]\n    fn adds',
    '    #[test]\n    #[should_panic]\n    fn overflows() {\n        add(i32::MAX, 1);\n    }\n\n    #[test]\n    fn adds',
  ],
  ['another platform', '    #[test]\n    fn adds', '    #[cfg(not(windows))]\n    #[test]\n    fn adds'],
  ['another message', 'expected = "zero"', 'expected = "by zero"'],
]

const languages = [
  ['math.test.ts', ts, javascript, honestJavascript],
  ['test_calc.py', py, python, honestPython],
  ['calc_test.go', go, goWays, honestGo],
  ['src/lib.rs', rust, rustWays, honestRust],
] as const

describe.each(languages)('%s (F13)', (path, text, ways, honest) => {
  test.each(ways)('%s', (...edit) => {
    expect(look(path, text, edit).map(({ file }) => file)).toContain(path)
  })
  test.each(honest)('no alarm: %s', (...edit) => {
    expect(look(path, text, edit)).toEqual([])
  })
  test.each(ways)('no alarm once it was so before: %s', (...edit) => {
    const after = changed(text, edit)
    expect(guard.compare([{ path, before: after, after: `${after}\n` }]).findings).toEqual([])
  })
})

const settings: [what: string, path: string, before: string | null, after: string][] = [
  ['testpaths', 'pytest.ini', '[pytest]\n', '[pytest]\ntestpaths = nothing\n'],
  ['python_functions', 'pytest.ini', '[pytest]\n', '[pytest]\npython_functions = check_*\n'],
  [
    'autouse',
    'conftest.py',
    'import pytest\n',
    'import pytest\n\n@pytest.fixture(autouse=True)\ndef x():\n    pytest.skip("n")\n',
  ],
  [
    'include',
    'vitest.config.ts',
    "export default { test: { include: ['**/*.test.ts'] } }",
    "export default { test: { include: ['a/*.test.ts'] } }",
  ],
  ['retry', 'vitest.config.ts', 'export default { test: {} }', 'export default { test: { retry: 50 } }'],
  [
    'noImplicitAny',
    'tsconfig.json',
    '{"compilerOptions":{"strict":true}}',
    '{"compilerOptions":{"strict":true,"noImplicitAny":false}}',
  ],
  ['.eslintignore', '.eslintignore', null, 'src\n'],
  ['harness', 'Cargo.toml', '[[test]]\nname="x"\n', '[[test]]\nname="x"\nharness = false\n'],
  ...['vitest run | cat', 'vitest run & sleep 1', 'vitest run; echo done'].map(
    (test): [string, string, string, string] => [
      test,
      'package.json',
      '{"scripts":{"test":"vitest run"}}',
      JSON.stringify({ scripts: { test } }),
    ],
  ),
]
const ci =
  'on: [push, pull_request]\njobs:\n  t:\n    strategy:\n      matrix:\n        node: [18, 20, 22]\n    steps:\n      - run: npm test\n'
const workflows: Edit[] = [
  ['triggers', '[push, pull_request]', 'workflow_dispatch'],
  ['paths', 'on: [push, pull_request]', 'on:\n  pull_request:\n  push:\n    paths-ignore: ["**"]'],
  ['branches', 'on: [push, pull_request]', 'on:\n  pull_request:\n  push:\n    branches: [nothing]'],
  ['if', '- run: npm test\n', "- run: npm test\n        if: github.actor == 'no-one'\n"],
  ['if of a job', '    steps:', "    if: github.actor == 'no-one'\n    steps:"],
  ['versions', '[18, 20, 22]', '[22]'],
]
const honestWorkflows: Edit[] = [
  ['a version less', '[18, 20, 22]', '[20, 22]'],
  ['a version more', '[18, 20, 22]', '[18, 20, 22, 24]'],
  ['documents', 'on: [push, pull_request]', 'on:\n  pull_request:\n  push:\n    paths-ignore: ["**.md"]'],
  [
    'a step with a condition',
    '- run: npm test\n',
    '- run: npm test\n      - run: npm run publish\n        if: github.ref == "main"\n',
  ],
  ['always', '- run: npm test\n', '- run: npm test\n        if: always()\n'],
]

describe('what defines checks (F13)', () => {
  test.each(settings)('%s', (_what, path, before, after) => {
    expect(guard.compare([{ path, before, after }]).findings.map(({ kind }) => kind)).toEqual(['check-changed'])
  })
  test.each(workflows)('CI: %s', (...edit) => {
    expect([...new Set(look('.github/workflows/ci.yml', ci, edit).map(({ kind }) => kind))]).toEqual(['ci-lowered'])
  })
  test.each(honestWorkflows)('no alarm: CI: %s', (...edit) =>
    expect(look('.github/workflows/ci.yml', ci, edit)).toEqual([]),
  )
})

test('F13: a Go test moved to a file that `go test` ignores is gone', () => {
  const moved = (path: string): ChangedFile[] => [
    { path: 'calc_test.go', before: go, after: null },
    { path, before: null, after: go },
  ]
  for (const path of ['testdata/calc_test.go', '_old/calc_test.go', 'calc_plan9_test.go'])
    expect(guard.compare(moved(path)).findings[0]?.kind, path).toBe('test-deleted')
  expect(guard.compare(moved('calc/calc_test.go')).findings).toEqual([])
})

describe('F13: tests that move to where the runner of a check does not look', () => {
  const look = (from: string, to: string, checks: string[], ...beside: ChangedFile[]) =>
    guard
      .compare(
        [
          { path: from, before: from.endsWith('.py') ? py : ts, after: null },
          { path: to, before: null, after: from.endsWith('.py') ? py : ts },
          ...beside,
        ],
        checks,
      )
      .findings.map(({ kind, file }) => `${kind} ${file}`)
  const beside = (path: string, text: string): ChangedFile => ({ path, before: text, after: text })
  const manifest = (test: string): ChangedFile => beside('package.json', JSON.stringify({ scripts: { test } }))
  const config = (include: string): ChangedFile =>
    beside('vitest.config.ts', `export default defineConfig({ test: { include: [${include}] } })`)
  test.each<[from: string, to: string, checks: string[], ...beside: ChangedFile[]]>([
    ['src/a.test.ts', 'disabled/a.test.ts', []],
    ['src/a.test.ts', 'src/__disabled__/a.test.ts', ['npx vitest run']],
    ['test_a.py', 'tests/quarantine/test_a.py', []],
    ['src/a.test.ts', 'more/a.test.ts', ['npx vitest run src']],
    ['src/a.test.ts', 'more/a.test.ts', ['npm test'], manifest('vitest run src/')],
    ['tests/test_a.py', 'more/test_a.py', ['python -m pytest tests/ -q']],
    ['test/a.test.ts', 'old/a.test.ts', ['npm test'], manifest("tsc && mocha 'test/**/*.test.ts'")],
    ['src/a.test.ts', 'more/a.test.ts', ['npx vitest run'], config("'src/**/*.test.ts', 'test/**/*.test.ts'")],
    ['src/a.test.ts', 'test/a.ts', ['npm test'], manifest('vitest run')],
  ])('%s → %s: %s', (from, to, ...rest) => {
    expect(new Set(look(from, to, ...rest))).toEqual(new Set([`test-deleted ${from}`]))
  })
  test.each<[from: string, to: string, checks: string[], ...beside: ChangedFile[]]>([
    ['src/a.test.ts', 'test/a.test.ts', []],
    ['src/a.test.ts', 'test/a.test.ts', ['npx vitest run']],
    ['src/a.test.ts', 'src/more/a.test.ts', ['npx vitest run src']],
    ['src/a.test.ts', 'test/a.test.ts', ['npx vitest run src test']],
    ['src/a.test.ts', 'more/a.test.ts', ['npx vitest run src', 'sh check.sh']],
    ['tests/a.test.ts', 'src/a.test.ts', ['pytest tests', 'node --test']],
    ['src/a.test.ts', 'test/a.ts', ['node --test']],
    ['src/a.test.ts', 'more/a.test.ts', ['npx vitest run'], config("'**/*.test.ts'")],
    ['src/a.test.ts', 'test/a.ts', ['npx vitest run'], config("'src/**/*.test.ts', 'test/**/*.ts'")],
    [
      'src/a.test.ts',
      'src/disabled/a.test.ts',
      ['npx vitest run'],
      { path: 'src/disabled/math.ts', before: null, after: 'export const add = 1\n' },
    ],
    [
      'src/a.test.ts',
      'test/a.test.ts',
      ['npm test'],
      {
        path: 'package.json',
        before: '{"scripts":{"test":"vitest run src"}}',
        after: '{"scripts":{"test":"vitest run test"}}',
      },
    ],
  ])('no alarm: %s → %s: %s', (from, to, ...rest) => {
    expect(look(from, to, ...rest)).toEqual([])
  })
  test('assertions in such a test compensate for nothing', () => {
    const [first, second] = [
      "it('adds', () => {\n  expect(add(1, 2)).toBe(3)\n})\n",
      "it('divides', () => {\n  expect(divide(6, 3)).toBe(2)\n})\n",
    ]
    const moved = (to: string) =>
      guard.compare([
        { path: 'a.test.ts', before: first + second, after: first },
        {
          path: to,
          before: null,
          after: `it('counts', () => {\n  expect(count()).toBe(1)\n  expect(sum(9, 8)).toBe(4)\n  expect(divide(6, 3)).toBe(2)\n})\n`,
        },
      ]).findings
    expect(moved('b.test.ts')).toEqual([])
    expect(moved('disabled/b.test.ts')).toMatchObject([{ kind: 'test-deleted', test: 'divides' }])
  })
  test('tests of Rust are run wherever they stand', () => {
    expect(
      guard.compare([
        { path: 'tests/lib.rs', before: rust, after: null },
        { path: 'src/lib.rs', before: null, after: rust },
      ]).findings,
    ).toEqual([])
  })
})

test('F13: of a test that is gone with what it was about, that is told', () => {
  const before =
    "import { parse } from './legacy-parser.ts'\nit('parses', () => { expect(parse('a')).toEqual(['a']) })\n"
  const both = [
    { path: 'src/legacy-parser.test.ts', before, after: null },
    { path: 'src/legacy-parser.ts', before: 'export const parse = 1\n', after: null },
  ]
  expect(guard.compare(both).findings).toMatchObject([{ kind: 'test-deleted', subject: 'src/legacy-parser.ts' }])
  expect(
    guard.compare([...both.slice(0, 1), { path: 'src/other.ts', before: 'a', after: null }]).findings[0],
  ).not.toHaveProperty('subject')
})

test('F13: a helper that is no longer awaited asserts nothing', () => {
  const helper = 'async function has(id) {\n  const data = await load(id)\n  expect(data.id).toBe(id)\n}\n'
  const suite = (call: string): string => `${helper}it('loads', async () => {\n  ${call}\n})\n`
  const judge = (after: string) =>
    guard
      .compare([{ path: 'a.test.ts', before: suite('await has(1)'), after: suite(after) }])
      .findings.map(({ kind }) => kind)
  expect(judge('has(1)')).toEqual(['assertions-removed'])
  for (const honest of ['return has(1)', 'await Promise.all([has(1)])', 'const done = has(1)\n  await done'])
    expect(judge(honest), honest).toEqual([])
})

describe('F13: of a test that is gone with the function it was about, that is told', () => {
  const tests =
    "import { parse, write } from './text.ts'\nit('parses', () => { expect(parse('a')).toEqual(['a']) })\nit('writes', () => { expect(write(['a'])).toBe('a') })\n"
  const code = 'export function parse(text) { return [...text] }\nexport const write = (all) => all.join()\n'
  const rest = tests.replace('parse, ', '').replace(/it\('parses'.*\n/, '')
  const subjects = (...files: ChangedFile[]) =>
    guard.compare(files).findings.map(({ kind, test: name, subject }) => [kind, name, subject])
  const test_ = (before = tests, after = rest): ChangedFile => ({ path: 'src/text.test.ts', before, after })
  const source = (after: string): ChangedFile => ({ path: 'src/text.ts', before: code, after })
  test('gone with it', () => {
    expect(subjects(test_(), source(code.replace(/.*parse.*\n/, '')))).toEqual([['test-deleted', 'parses', 'parse']])
    const [python, calc] = [
      'from calc import add, take\n\ndef test_adds():\n    assert add(1, 2) == 3\n\ndef test_takes():\n    assert take(2, 1) == 1\n',
      'def add(a, b):\n    return a + b\n\ndef take(a, b):\n    return a - b\n',
    ]
    expect(
      subjects(
        {
          path: 'test_calc.py',
          before: python,
          after: python.replace('add, ', '').replace(/def test_adds[^]*?\n\n/, ''),
        },
        { path: 'calc.py', before: calc, after: calc.replace(/def add[^]*?\n\n/, '') },
      ),
    ).toEqual([['test-deleted', 'test_adds', 'add']])
  })
  test('still there, renamed or used, or not alone in it', () => {
    const none = [['test-deleted', 'parses', undefined]]
    expect(subjects(test_())).toEqual(none)
    expect(subjects(test_(), source(`${code}\n`))).toEqual(none)
    expect(
      subjects(test_(), source(code.replace(/.*parse.*\n/, '')), {
        path: 'src/main.ts',
        before: 'parse()\n',
        after: 'parse(1)\n',
      }),
    ).toEqual(none)
    expect(
      subjects(test_(tests.replace("parse('a')", "parse(write(['a']))")), source(code.replace(/.*parse.*\n/, ''))),
    ).toEqual(none)
  })
})

/** More than ten ways to make TypeScript tests pass, and as many honest changes. */
import { describe, expect, test } from 'vitest'
import { cart, change, judge, path } from '../../../test/kit/javascript-changes.ts'
import type { TamperKind } from '../../model/tamper.ts'
import { guard } from '../guard.ts'

const adds = 'cart > adds prices'
const rejects = 'cart > rejects a negative price'
const discount = 'cart > discount > takes ten percent off'

describe('tampering with TypeScript (F13)', () => {
  test.each<[what: string, kind: TamperKind, test: string | null, after: string | null]>([
    ['a test deleted', 'test-deleted', rejects, change(/ {2}it\('rejects[^]*?\n {2}\}\)\n/, '')],
    [
      'a test commented out',
      'test-deleted',
      rejects,
      change(
        / {2}it\('rejects[^]*?\n {2}\}\)\n/,
        ((text) => text)('  /* it("rejects a negative price", () => {}) */\n'),
      ),
    ],
    ['the file deleted', 'test-deleted', adds, null],
    ['it.skip', 'test-skipped', rejects, change("it('rejects", "it.skip('rejects")],
    ['it.todo', 'test-skipped', rejects, change("it('rejects", "it.todo('rejects")],
    ['xit', 'test-skipped', rejects, change("it('rejects", "xit('rejects")],
    ['it.fails', 'test-skipped', rejects, change("it('rejects", "it.fails('rejects")],
    ['it.skipIf(true)', 'test-skipped', rejects, change("it('rejects", "it.skipIf(true)('rejects")],
    [
      'it.runIf(process.env.NOPE)',
      'test-skipped',
      rejects,
      change("it('rejects", "it.runIf(process.env.NOPE)('rejects"),
    ],
    ['it["skip"]', 'test-skipped', rejects, change("it('rejects", "it['skip']('rejects")],
    ['options of node:test', 'test-skipped', rejects, change("price', () =>", "price', { skip: true }, () =>")],
    [
      'this.skip()',
      'test-skipped',
      rejects,
      change(/(rejects a negative price'), \(\) => \{/, '$1, function () {\n    this.skip()'),
    ],
    [
      'context.skip()',
      'test-skipped',
      rejects,
      change(/(rejects a negative price'), \(\) => \{/, '$1, (t) => {\n    t.skip()'),
    ],
    ['a skipped group', 'test-skipped', 'cart > discount', change("describe('discount'", "describe.skip('discount'")],
    ['xdescribe', 'test-skipped', 'cart', change("describe('cart'", "xdescribe('cart'")],
    [
      'a test without a body',
      'test-skipped',
      rejects,
      change(/it\('rejects[^]*?\n {2}\}\)/, "it('rejects a negative price')"),
    ],
    [
      'an alias that skips',
      'test-skipped',
      adds,
      change("describe('cart'", "const maybe = process.env.CI ? it : it.skip\ndescribe('cart'").replace(
        "it('adds",
        "maybe('adds",
      ),
    ],
    ['an early return', 'test-skipped', adds, change("prices', () => {", "prices', () => {\n    return")],
    [
      'an early return under a condition that holds',
      'test-skipped',
      adds,
      change("prices', () => {", "prices', () => {\n    if (true) { return }"),
    ],
    ['it.only', 'test-focused', adds, change("it('adds", "it.only('adds")],
    ['fdescribe', 'test-focused', 'cart > discount', change("describe('discount'", "fdescribe('discount'")],
    ['an assertion removed', 'assertions-removed', adds, change('    expect(total([])).toBe(0)\n', '')],
    [
      'a body commented out',
      'assertions-removed',
      rejects,
      change(
        "    expect(() => total([-1])).toThrow('negative')",
        "    // expect(() => total([-1])).toThrow('negative')",
      ),
    ],
    [
      'toBe to toBeDefined',
      'assertion-weakened',
      adds,
      change('expect(total([1, 2])).toBe(3)', 'expect(total([1, 2])).toBeDefined()'),
    ],
    [
      'toBe to toBeTruthy',
      'assertion-weakened',
      adds,
      change('expect(total([1, 2])).toBe(3)', 'expect(total([1, 2])).toBeTruthy()'),
    ],
    ['anything', 'assertion-weakened', discount, change("toEqual(['pen', 'ink'])", 'toEqual(expect.anything())')],
    ['expect(true)', 'assertion-weakened', adds, change('expect(total([1, 2])).toBe(3)', 'expect(true).toBe(true)')],
    [
      'x is x',
      'assertion-weakened',
      adds,
      change('expect(total([1, 2])).toBe(3)', 'expect(total([1, 2])).toBe(total([1, 2]))'),
    ],
    [
      '|| true',
      'assertion-weakened',
      adds,
      change('expect(total([1, 2])).toBe(3)', 'expect(total([1, 2]) === 3 || true).toBe(true)'),
    ],
    [
      'a matcher left out',
      'assertion-weakened',
      adds,
      change('expect(total([1, 2])).toBe(3)', 'expect(total([1, 2]))'),
    ],
    ['a message no longer asked for', 'assertion-weakened', rejects, change("toThrow('negative')", 'toThrow()')],
    ['a wide tolerance', 'assertion-weakened', discount, change('toBeCloseTo(90, 5)', 'toBeCloseTo(90, -2)')],
    [
      'a failure swallowed',
      'assertion-weakened',
      adds,
      change(/(expect\(total\(\[1, 2\]\)\)\.toBe\(3\))/, 'try { $1 } catch {}'),
    ],
    [
      'a rejection swallowed',
      'assertion-weakened',
      discount,
      change(
        "expect(mine.items).toEqual(['pen', 'ink'])",
        "await expect(mine.items).resolves.toEqual(['pen', 'ink']).catch(() => {})",
      ),
    ],
    [
      'a condition that never holds',
      'assertion-weakened',
      adds,
      change(/(expect\(total\(\[1, 2\]\)\)\.toBe\(3\))/, 'if (false) { $1 }'),
    ],
  ])('%s', (_what, kind, name, after) => {
    expect(judge(after).findings.map((each) => ({ kind: each.kind, file: each.file, test: each.test }))).toContainEqual(
      { kind, file: path, test: name },
    )
  })

  test('each finding is one line that says what was there', () => {
    expect(judge(change('expect(total([1, 2])).toBe(3)', 'expect(total([1, 2])).toBeDefined()')).findings).toEqual([
      {
        kind: 'assertion-weakened',
        file: path,
        test: adds,
        detail: 'expect(total([1, 2])).toBe(3) → expect(total([1, 2])).toBeDefined()',
      },
    ])
  })

  test('rows taken out of a table, and an emptied one', () => {
    const table = (rows: string) => `test.each([${rows}])('adds %i', (a, b, c) => { expect(add(a, b)).toBe(c) })`
    const found = (rows: string) => judge(table(rows), table('[1, 1, 2], [2, 2, 4], [3, 3, 6]')).findings
    expect(found('[1, 1, 2]')).toEqual([
      { kind: 'test-deleted', file: path, test: 'adds %i', detail: '2 of its 3 cases are gone' },
    ])
    expect(found('')).toMatchObject([{ kind: 'test-deleted' }])
  })

  test('a test file renamed so that no runner finds it', () => {
    const moved = guard.compare([
      { path, before: cart, after: null },
      { path: 'src/cart.old.ts', before: null, after: cart },
    ])
    expect(moved.findings).toHaveLength(3)
    expect(moved.findings).toContainEqual({
      kind: 'test-deleted',
      file: path,
      test: adds,
      detail: 'moved to src/cart.old.ts, where no runner looks for tests',
    })
  })

  test('a helper that no longer asserts is found where it is, not in each test that uses it', () => {
    const helper = (body: string) => `export function expectUser(user) {\n${body}\n}\n`
    const report = guard.compare([
      {
        path: 'test/users.ts',
        before: helper("expect(user.name).toBe('Ann')\nexpect(user.age).toBe(3)"),
        after: helper("expect(user.name).toBe('Ann')"),
      },
      {
        path: 'test/a.test.ts',
        before: "it('loads', () => expectUser(load()))",
        after: "it('loads', () => { expectUser(load()) })",
      },
    ])
    expect(report.findings).toEqual([
      {
        kind: 'assertions-removed',
        file: 'test/users.ts',
        test: 'expectUser',
        detail: 'expect(user.age).toBe(3) is gone',
        helper: true,
      },
    ])
  })

  test('a helper without assertions does not replace assertions', () => {
    const before = "it('loads', () => { expect(load().name).toBe('Ann'); expect(load().age).toBe(3) })"
    const after = "function expectUser(user) { return user }\nit('loads', () => { expectUser(load()) })"
    expect(judge(after, before).findings).toMatchObject([{ kind: 'assertions-removed', test: 'loads' }])
  })

  test('a deleted test is not made good by an unrelated one', () => {
    const after = change(
      / {2}it\('rejects[^]*?\n {2}\}\)\n/,
      "  it('has a name', () => {\n    expect(cart.name).toBe('cart')\n  })\n",
    )
    expect(judge(after).findings).toMatchObject([{ kind: 'test-deleted', test: rejects }])
  })
})

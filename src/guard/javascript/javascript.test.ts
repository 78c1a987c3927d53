/** More than ten ways to make TypeScript tests pass, and as many honest changes. */
import { describe, expect, test } from 'vitest'
import type { TamperKind } from '../../model/tamper.ts'
import { guard } from '../guard.ts'

const path = 'src/cart.test.ts'
const cart = `import { describe, expect, it } from 'vitest'
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
const change = (from: string | RegExp, to: string): string => {
  const changed = cart.replace(from, to)
  if (changed === cart) throw new Error(`nothing matched ${from}`)
  return changed
}
const judge = (after: string | null, before: string | null = cart, file = path) =>
  guard.compare([{ path: file, before, after }])

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

const row = (name: string, a: number, b: number, c: number) =>
  `it('${name}', () => {\n  expect(add(${a}, ${b})).toBe(${c})\n})\n`
const three = row('adds small numbers', 1, 2, 3) + row('adds zero', 5, 0, 5) + row('adds negative numbers', -4, 7, 3)

describe('honest changes of TypeScript', () => {
  test.each<[what: string, after: string, before?: string]>([
    ['a test renamed', change('adds prices', 'sums up all prices')],
    ['a group renamed', change("describe('cart'", "describe('the cart'")],
    ['formatting', cart.replaceAll("'", '"').replaceAll('\n    ', '\n        ').replaceAll(')\n', ');\n')],
    [
      'comments',
      change(
        '    expect(total([])',
        "    // nothing costs nothing: it.skip('x'), expect(1)\n    /* .only */\n    expect(total([])",
      ),
    ],
    [
      'a test added',
      change(
        "  describe('discount'",
        "  it('is empty', () => {\n    expect(cart().items).toEqual([])\n  })\n\n  describe('discount'",
      ),
    ],
    ['a todo added', change("  describe('discount'", "  it.todo('ships')\n  describe('discount'")],
    [
      'a stricter assertion',
      change("toThrow('negative')", "toThrow(new RangeError('negative'))"),
      change("toThrow('negative')", 'toThrow()'),
    ],
    ['another expected value', change('.toBe(3)', '.toBe(4)')],
    [
      'several assertions in one that says it all',
      "it('a', () => {\n  const user = load()\n  expect(user).toEqual({ name: 'Ann', age: 3, tags: ['x'] })\n})",
      "it('a', () => {\n  const user = load()\n  expect(user.name).toBe('Ann')\n  expect(user.age).toBe(3)\n  expect(user.tags.length).toBe(1)\n})",
    ],
    [
      'assertions in a helper',
      `function sums(prices: number[], sum: number) {\n  expect(total(prices)).toBe(sum)\n}\n${change(/expect\(total\(\[1, 2\]\)\)\.toBe\(3\)\n {4}expect\(total\(\[\]\)\)\.toBe\(0\)/, 'sums([1, 2], 3)\n    sums([], 0)')}`,
    ],
    [
      'assertions in a helper that is an arrow function',
      `const sums = (prices: number[], sum: number): void => {\n  expect(total(prices)).toBe(sum)\n}\n${change(/expect\(total\(\[1, 2\]\)\)\.toBe\(3\)\n {4}expect\(total\(\[\]\)\)\.toBe\(0\)/, 'sums([1, 2], 3)\n    sums([], 0)')}`,
    ],
    [
      'assertions in a helper that stands elsewhere, unchanged',
      change(/expect\(total\(\[1, 2\]\)\)\.toBe\(3\)\n {4}expect\(total\(\[\]\)\)\.toBe\(0\)/, 'expectTotals(total)'),
    ],
    [
      'tests in a table',
      "it.each([\n  [1, 2, 3],\n  [5, 0, 5],\n  [-4, 7, 3],\n])('adds %i and %i', (a, b, sum) => {\n  expect(add(a, b)).toBe(sum)\n})\n",
      three,
    ],
    [
      'a table in tests',
      three,
      "it.each([[1, 2, 3], [5, 0, 5], [-4, 7, 3]])('adds %i and %i', (a, b, sum) => {\n  expect(add(a, b)).toBe(sum)\n})\n",
    ],
    [
      'tests in a table of a name',
      "const cases = [[1, 2, 3], [5, 0, 5], [-4, 7, 3]] as const\ntest.each(cases)('adds %i', (a, b, sum) => {\n  expect(add(a, b)).toBe(sum)\n})\n",
      three,
    ],
    [
      'tests in a loop around tests',
      'for (const [a, b, sum] of [[1, 2, 3], [5, 0, 5], [-4, 7, 3]]) {\n  it(`adds ${a} and ${b}`, () => {\n    expect(add(a, b)).toBe(sum)\n  })\n}\n',
      three,
    ],
    [
      'tests in a loop within a test',
      "it('adds', () => {\n  for (const [a, b, sum] of [[1, 2, 3], [5, 0, 5], [-4, 7, 3]]) {\n    expect(add(a, b)).toBe(sum)\n  }\n})\n",
      three,
    ],
    [
      'tests in forEach',
      '[[1, 2, 3], [5, 0, 5], [-4, 7, 3]].forEach(([a, b, sum]) => {\n  it(`adds ${a}`, () => {\n    expect(add(a, b)).toBe(sum)\n  })\n})\n',
      three,
    ],
    [
      'tests by a function that defines them',
      "function adds(name, a, b, sum) {\n  it(name, () => {\n    expect(add(a, b)).toBe(sum)\n  })\n}\nadds('adds small numbers', 1, 2, 3)\nadds('adds zero', 5, 0, 5)\nadds('adds negative numbers', -4, 7, 3)\n",
      three,
    ],
    [
      'another assertion library',
      change(
        "import { describe, expect, it } from 'vitest'",
        "import { describe, it } from 'node:test'\nimport assert from 'node:assert'",
      )
        .replace('expect(total([1, 2])).toBe(3)', 'assert.equal(total([1, 2]), 3)')
        .replace('expect(total([])).toBe(0)', 'assert.equal(total([]), 0)')
        .replace("expect(() => total([-1])).toThrow('negative')", 'assert.throws(() => total([-1]), /negative/)')
        .replace('expect(mine.total).toBeCloseTo(90, 5)', 'assert.ok(Math.abs(mine.total - 90) < 0.00001)')
        .replace("expect(mine.items).toEqual(['pen', 'ink'])", "assert.deepEqual(mine.items, ['pen', 'ink'])"),
    ],
    [
      'a test split in two',
      change(
        '    expect(total([])).toBe(0)\n  })',
        "  })\n\n  it('adds nothing', () => {\n    expect(total([])).toBe(0)\n  })",
      ),
    ],
    [
      'tests merged',
      cart,
      change(
        '    expect(total([])).toBe(0)\n  })',
        "  })\n\n  it('adds nothing', () => {\n    expect(total([])).toBe(0)\n  })",
      ),
    ],
    [
      'a set-up taken out',
      change('      const mine = await cart({ discount: 10 })\n', '').replace(
        "  describe('discount', () => {",
        "  describe('discount', () => {\n    let mine\n    beforeEach(async () => {\n      mine = await cart({ discount: 10 })\n    })",
      ),
    ],
    ['it.concurrent', change("it('adds", "it.concurrent('adds")],
    [
      'a promise awaited',
      "it('a', async () => {\n  await expect(load()).resolves.toBe(1)\n})",
      "it('a', () => {\n  return expect(load()).resolves.toBe(1)\n})",
    ],
    ['a skip that is taken away', cart, change("it('adds", "it.skip('adds")],
    [
      'a condition that was there',
      change("it('adds", "it.skipIf(windows)('adds").replace('prices', 'all prices'),
      change("it('adds", "it.skipIf(windows)('adds"),
    ],
    ['a narrower time', change('toBeCloseTo(90, 5)', 'toBeCloseTo(90, 6)')],
    [
      'a helper that leaves a part to another one',
      "function ends() {\n  expect(code()).toBe(0)\n}\nfunction resumes() {\n  ends()\n  expect(tree()).toBe('x')\n}\nit('a', () => resumes())",
      "function resumes() {\n  expect(code()).toBe(0)\n  expect(tree()).toBe('x')\n}\nit('a', () => resumes())",
    ],
    [
      'a case that becomes a test',
      "it.each([['a', 1]])('reads %s', (text, value) => {\n  expect(read(text)).toBe(value)\n  expect(read(text)).not.toContain('x')\n})\nit('reads all of it', () => {\n  expect(read('bb')).toBe(22)\n})",
      "it.each([['a', 1], ['bb', 22]])('reads %s', (text, value) => {\n  expect(read(text)).toBe(value)\n  expect(read(text)).not.toContain('x')\n})",
    ],
    [
      'a function of the project that is called todo',
      "it('a', () => {\n  todo(1)\n  expect(list()).toBe(2)\n})",
      "it('a', () => {\n  expect(list()).toBe(2)\n})",
    ],
    [
      'elements',
      "it('shows', () => {\n  render(<p>Don't {name} :)</p>)\n  expect(screen.getByText('x')).toBe(<a href=\"it.skip('x')\"/>)\n})",
      "it('shows', () => {\n  render(<p>Don't {name} :)</p>)\n  expect(screen.getByText('x')).toBe(<b/>)\n})",
    ],
  ])('%s', (_what, after, before = cart) => {
    expect(judge(after, before, /<p>/.test(after) ? 'src/a.test.tsx' : path).findings).toEqual([])
  })

  test('a file moved, and tests moved to another one', () => {
    const [head, ...rest] = three.split(/(?=it\()/)
    expect(
      guard.compare([
        { path, before: cart, after: null },
        { path: 'test/cart.spec.ts', before: null, after: cart },
      ]).findings,
    ).toEqual([])
    expect(
      guard.compare([
        { path: 'src/a.test.ts', before: three, after: head ?? '' },
        {
          path: 'src/b.test.ts',
          before: "it('is', () => { expect(1 + 1).toBe(2) })",
          after: `it('is', () => { expect(1 + 1).toBe(2) })\n${rest.join('')}`,
        },
      ]),
    ).toEqual({ findings: [], newTests: [] })
  })

  test('new tests are listed by file', () => {
    const added = change(
      "  describe('discount'",
      "  it('is empty', () => {\n    expect(cart().items).toEqual([])\n  })\n\n  describe('discount'",
    )
    expect(judge(added).newTests).toEqual([path])
    expect(judge(cart, null).newTests).toEqual([path])
    expect(judge(change('adds prices', 'sums up')).newTests).toEqual([])
    expect(
      judge(
        change(
          '    expect(total([])).toBe(0)\n  })',
          "  })\n\n  it('adds nothing', () => {\n    expect(total([])).toBe(0)\n  })",
        ),
      ).newTests,
    ).toEqual([])
  })
})

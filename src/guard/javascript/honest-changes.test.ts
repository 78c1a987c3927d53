import { describe, expect, test } from 'vitest'
import { cart, change, judge, path } from '../../../test/kit/javascript-changes.ts'
import { guard } from '../guard.ts'

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

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeRepository } from '../../../test/kit/repository.ts'
import { openLooseObjects } from './loose-objects.ts'
import { compareQuickly, encodeTree, readParts, type Tree } from './quick-trees.ts'

test.each([
  ['a name with a slash', ['a/b']],
  ['a name twice', ['a', 'a']],
])('a tree that contains %s is left to git', (_, names) => {
  const { root } = makeRepository()
  const run = (args: string[], input: Buffer | string): string =>
    execFileSync('git', args, { cwd: root, input, encoding: 'utf8' }).trim()
  const blob = run(['hash-object', '-w', '--stdin'], 'x')
  const write = (listed: string[]): string => {
    const entries = listed.flatMap((name) => [Buffer.from(`100644 ${name}\0`), Buffer.from(blob, 'hex')])
    return run(['hash-object', '-w', '--literally', '-t', 'tree', '--stdin'], Buffer.concat(entries))
  }
  const objects = openLooseObjects(join(root, '.git/objects'))
  expect(readParts([null, write(['a'])], objects)?.parts.map(({ size }) => size)).toEqual([0, 1])
  expect(readParts([null, write(names)], objects)).toBeNull()
})

const name = fc.constantFrom('a', 'a-b', 'ab', 'b', '0', '100644 a', 'z', 'zz')
/** Ids that contain zeros and spaces look like other parts of a tree. */
const id = fc.constantFrom('00', '20', '61', '31').map((pair) => pair.repeat(20))
const tree = fc
  .uniqueArray(fc.tuple(name, id), { selector: ([each]) => each })
  .map((files): Tree => new Map(files.map(([each, object]) => [each, { mode: '100644', object }])))

test('the differences are found, whatever both trees begin and end with', () => {
  const objects = openLooseObjects(join(makeRepository().root, '.git/objects'))
  const write = (each: Tree): string => objects.write('tree', encodeTree(each), '0'.repeat(40)) ?? ''
  fc.assert(
    fc.property(tree, tree, (from, to) => {
      const expected = [...new Set([...from.keys(), ...to.keys()])]
        .map((path) => ({ path, from: from.get(path) ?? null, to: to.get(path) ?? null }))
        .filter((each) => each.from?.object !== each.to?.object)
      const found = compareQuickly(write(from), write(to), objects) ?? []
      expect(new Map(found.map((each) => [each.path, each]))).toEqual(
        new Map(expected.map((each) => [each.path, each])),
      )
      const { parts, head, tail } = readParts([write(from), write(to)], objects) ?? { parts: [], head: '', tail: '' }
      const whole = parts.map((part) => Buffer.concat([Buffer.from(head), encodeTree(part), Buffer.from(tail)]))
      expect(whole).toEqual([encodeTree(from), encodeTree(to)])
    }),
    { numRuns: 50 },
  )
})

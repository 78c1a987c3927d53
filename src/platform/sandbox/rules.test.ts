import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { accessAt, isInside, orderRules, type Access, type Rule } from './rules.ts'

const rule = (path: string, access: Access): Rule => ({ path, access, kind: 'folder' })
const paths = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 5 }).map((names) => `/${names.join('/')}`)
const anyRules = fc.array(
  fc.record({
    path: paths.filter((path) => path !== '/'),
    access: fc.constantFrom<Access>('read', 'write', 'hide', 'private'),
    kind: fc.constant('folder' as const),
  }),
  { maxLength: 12 },
)

/** The expected meaning of rules: the deepest one wins, and of equal ones the last. */
function meant(rules: readonly Rule[], path: string): Access {
  const around = rules.filter((each) => each.path === path || isInside(path, each.path))
  return (
    around.reduce<Rule | null>(
      (best, each) => (best !== null && best.path.length > each.path.length ? best : each),
      null,
    )?.access ?? 'read'
  )
}

describe('ordered rules', () => {
  test('mean the same as the rules they were made of', () => {
    fc.assert(
      fc.property(anyRules, paths, (rules, path) => {
        const [was, is] = [meant(rules, path), accessAt(orderRules(rules), path)]
        // In an empty folder there is nothing to hide.
        expect([was, was === 'hide' ? 'private' : was]).toContain(is)
      }),
    )
  })

  test('come with parents before children, one a path', () => {
    fc.assert(
      fc.property(anyRules, (rules) => {
        const ordered = orderRules(rules).map(({ path }) => path)
        expect(new Set(ordered).size).toBe(ordered.length)
        for (const [at, path] of ordered.entries()) {
          expect(ordered.slice(at + 1).filter((later) => isInside(path, later))).toEqual([])
        }
      }),
    )
  })

  test('leave no writable folder above a protected path that could be renamed', () => {
    fc.assert(
      fc.property(anyRules, (rules) => {
        const ordered = orderRules(rules)
        for (const { path, access } of ordered) {
          if (access === 'write' || access === 'private') continue
          for (
            let folder = path.slice(0, path.lastIndexOf('/'));
            folder !== '';
            folder = folder.slice(0, folder.lastIndexOf('/'))
          ) {
            if (accessAt(ordered, folder) !== 'write') break
            expect(ordered.map((each) => each.path)).toContain(folder)
          }
        }
      }),
    )
  })

  test('are the same when ordered again', () => {
    fc.assert(
      fc.property(anyRules, (rules) => {
        const ordered = orderRules(rules)
        for (const { path } of ordered) expect(accessAt(orderRules(ordered), path)).toBe(accessAt(ordered, path))
      }),
    )
  })

  test('of an in-place run protect what git reads, with the folder around it', () => {
    expect(orderRules([rule('/r', 'write'), rule('/r/.git/hooks', 'read'), rule('/r/src', 'write')])).toEqual([
      rule('/r', 'write'),
      rule('/r/.git', 'write'),
      rule('/r/.git/hooks', 'read'),
    ])
  })
})

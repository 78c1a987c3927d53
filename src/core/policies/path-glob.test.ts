import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tries } from '../../../test/kit/seed.ts'
import { matchesPath } from './path-glob.ts'

test.each([
  ['test/legacy/**', 'test/legacy/a/b.test.ts', true],
  ['test/legacy/**', 'test/legacy.test.ts', false],
  ['test/legacy', 'test/legacy/a.test.ts', true],
  ['test/legacy/', 'test/legacy/a.test.ts', true],
  ['test/legacy/', 'test/legacy', false],
  ['./test/*.ts', 'test/a.ts', true],
  ['test/*.ts', 'test/a/b.ts', false],
  ['**/a.ts', 'a.ts', true],
  ['**/a.ts', 'x/y/a.ts', true],
  ['**/a.ts', 'x/ya.ts', false],
  ['test/a?.ts', 'test/ab.ts', true],
  ['test/a?.ts', 'test/a/.ts', false],
  ['test/[a].ts', 'test/[a].ts', true],
  ['test/[a].ts', 'test/a.ts', false],
  ['a.ts', 'axts', false],
])('%s matches %s: %s', (glob, path, expected) => expect(matchesPath(glob, path)).toBe(expected))

/** The same match as a regular expression, which is slow for some globs. */
function asPattern(glob: string): RegExp {
  const source = glob
    .replace(/^\.?\//, '')
    .split(/(\*\*\/?|\*|\?)/)
    .map((part) => {
      if (part === '**/') return '(?:.*/)?'
      if (part === '**') return '.*'
      if (part === '*') return '[^/]*'
      return part === '?' ? '[^/]' : part.replace(/[\\^$.|+()[\]{}]/g, '\\$&')
    })
    .join('')
  return new RegExp(`^${source}${glob.endsWith('/') ? '.*' : '(?:/.*)?'}$`, 's')
}

const path = fc.array(fc.constantFrom('a', 'b', 'ab', 'a.b', '[a]', '+'), { minLength: 1, maxLength: 4 })
const glob = fc.array(fc.constantFrom('a', 'b', '.', '*', '?', '**', '/', '**/', '[', '+'), {
  minLength: 1,
  maxLength: 8,
})

test('a glob matches the paths that its pattern matches', () => {
  fc.assert(
    fc.property(glob, path, (parts, folders) => {
      const [text, file] = [parts.join(''), folders.join('/')]
      expect(matchesPath(text, file)).toBe(asPattern(text).test(file))
    }),
    { numRuns: tries(2_000) },
  )
})

test('a path is matched by itself and by each of its folders', () => {
  fc.assert(
    fc.property(path, fc.nat(3), (folders, kept) => {
      const file = folders.join('/')
      expect(matchesPath(file, file)).toBe(true)
      expect(matchesPath(folders.slice(0, kept + 1).join('/'), file)).toBe(true)
    }),
  )
})

test('every glob matches in bounded steps', () => {
  expect(matchesPath(`${'**a'.repeat(300)}b`, 'a/'.repeat(1_000))).toBe(false)
})

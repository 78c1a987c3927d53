import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeRepository } from '../../../test/kit/repository.ts'
import { mayBeIgnored, nameRules } from './ignore-rules.ts'

test.for([
  ['*.log', 'a/b.log', true],
  ['*.log', 'a/b.txt', false],
  ['/build/', 'build/x', true],
  ['a/*/c', 'a/b/c/d', true],
  ['a/*/c', 'a/b/d', false],
  ['docs/**', 'docs/x', true],
  ['!keep', 'keep', false],
  ['#note', '#note', false],
  ['[ab]', 'x', true],
  ['x.y+z', 'x.y+z', true],
  ['x.y', 'xzy', false],
  ['name  ', 'name', true],
] as const)('the rule %s may ignore %s: %s', ([rule, path, expected]) => {
  expect(mayBeIgnored(path, nameRules(rule))).toBe(expected)
})

const name = fc.constantFrom('a', 'b', 'ab', 'a.b', 'x')
const part = fc.constantFrom('a', 'b', '*', '**', 'a*', '?', '*.b', '[ab]', 'a\\b', ' a', 'a ', '')
const rule = fc
  .tuple(fc.constantFrom('', '!', '/', '#', '\\#'), fc.array(part, { minLength: 1, maxLength: 3 }), fc.boolean())
  .map(([start, parts, isFolder]) => `${start}${parts.join('/')}${isFolder ? '/' : ''}`)

test('no file that git ignores passes', () => {
  const repository = makeRepository()
  const paths = fc.array(fc.array(name, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 4 }), paths, (rules, all) => {
      const text = `${rules.join('\n')}\n`
      writeFileSync(join(repository.root, '.git/info/exclude'), text)
      const input = all.map((parts) => parts.join('/')).join('\0')
      const args = ['check-ignore', '--no-index', '-z', '--stdin']
      const ignored = (() => {
        try {
          return execFileSync('git', args, { cwd: repository.root, input, encoding: 'utf8' })
        } catch (error) {
          // Git ends with 1 when it ignores none.
          if ((error as { status?: number }).status === 1) return ''
          throw error
        }
      })()
      for (const path of ignored.split('\0').filter((each) => each !== ''))
        expect(mayBeIgnored(path, nameRules(text)), `${path} by ${JSON.stringify(text)}`).toBe(true)
    }),
    { numRuns: 60 },
  )
})

import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { safeName } from './safe-name.ts'

test.each(['T001', 'T003.1', 'main', '001-add-auth', 'a_b-c.d'])('%s stays as it is', (id) => {
  expect(safeName(id)).toBe(id)
})

test('any id becomes one legal path segment and ref component, and distinct ids stay distinct', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
      expect(safeName(a)).toMatch(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,79}$/)
      expect(safeName(a)).not.toMatch(/^\.|\.\.|\.lock$|\.$|^tip$|^strays$/)
      expect(safeName(a) === safeName(b)).toBe(a === b)
    }),
  )
})

test.each(['../../x', 'x.lock', 'a..b', 'a.', 'tip', 'strays', '', '@{', 'a b~^:?*[\\'])(
  'git accepts the ref made of %j',
  (id) => {
    execFileSync('git', ['check-ref-format', `refs/looper/run/${safeName(id)}/a1`])
  },
)

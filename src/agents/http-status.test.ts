import { expect, test } from 'vitest'
import type { AgentErrorKind } from '../model/agent-error.ts'
import { kindOfStatus } from './http-status.ts'

test.each<[unknown, AgentErrorKind | null]>([
  [401, 'auth'],
  [402, 'usage_limit'],
  [403, 'auth'],
  [404, 'config'],
  [408, 'network'],
  [413, 'context_overflow'],
  [429, 'rate_limited'],
  [500, 'overloaded'],
  [503, 'overloaded'],
  [529, 'overloaded'],
  [200, null],
  [400, null],
  [600, null],
  [Number.NaN, null],
  ['401', null],
])('%o is %s', (status, kind) => {
  expect(kindOfStatus(status)).toBe(kind)
})

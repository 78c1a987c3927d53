import { expect, test } from 'vitest'
import { choose, isAllowed } from './permission.ts'

test.each<[string, boolean]>([
  ['read', true],
  ['search', true],
  ['execute', true],
  ['think', true],
  ['fetch', true],
  ['other', true],
  ['edit', false],
  ['delete', false],
  ['move', false],
  ['switch_mode', false],
])('who may only read: %s %s', (kind, allowed) => {
  expect([isAllowed('read', kind), isAllowed('write', kind)]).toEqual([allowed, true])
})

const option = (kind: string): object => ({ optionId: `the ${kind}`, name: kind, kind })

test.each<[string[], boolean, string | null]>([
  [['allow_always', 'allow_once', 'reject_once'], true, 'the allow_once'],
  [['reject_once', 'allow_always'], true, 'the allow_always'],
  [['allow_once', 'reject_always', 'reject_once'], false, 'the reject_once'],
  [['allow_once', 'reject_always'], false, 'the reject_always'],
  [['allow_once'], false, null],
  [['reject_once'], true, null],
  [[], true, null],
])('of %j, allowed %s: %s', (kinds, allow, optionId) => {
  expect(choose(kinds.map(option), allow).outcome).toEqual(
    optionId === null ? { outcome: 'cancelled' } : { outcome: 'selected', optionId },
  )
})

test('options that are none are not chosen', () => {
  for (const options of [undefined, 'x', [null, 7, { kind: 'allow_once' }, { kind: 'allow_once', optionId: 7 }]]) {
    expect(choose(options, true).outcome).toEqual({ outcome: 'cancelled' })
  }
})

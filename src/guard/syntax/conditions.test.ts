import { expect, test } from 'vitest'
import { isHereToo, isOnlyElsewhere, truthOf } from './conditions.ts'

test.each<[string, boolean | null]>([
  ['false', false],
  ['0', false],
  ['! true', false],
  ['not True', false],
  ["''", false],
  ['0 == 1', false],
  ['1 === 2', false],
  ["'a' === 'b'", false],
  ['x && false', false],
  ['False and x', false],
  ['( false )', false],
  ['1 > 2', false],
  ['2 * 2 === 5', false],
  ['TYPE_CHECKING', false],
  ['not __debug__', false],
  ['true', true],
  ['1', true],
  ['1 + 1 === 2', true],
  ['true || x', true],
  ['x or True', true],
  ['not False', true],
  ['! 0', true],
  ['0 - 1 < 0', true],
  ["'x'", true],
  ['x', null],
  ['x === 1', null],
  ['! x', null],
  ['x || false', null],
  ['x && true', null],
  ['f ( 1 )', null],
  ['', null],
  ['not x == 1', null],
  ['a === 1 && b', null],
])('%j is %s', (condition, truth) => expect(truthOf(condition)).toBe(truth))

test.each([
  "process . platform === 'win32'",
  "sys . platform == 'win32'",
  "os . name == 'nt'",
  "sys . platform . startswith ( 'win' )",
  'sys . version_info < ( 3 , 10 )',
  'WIN',
  'isWindows',
])('%j holds elsewhere only', (condition) => {
  expect(isOnlyElsewhere(condition)).toBe(true)
  expect(isHereToo(`! ${condition}`)).toBe(true)
  expect(isHereToo(condition)).toBe(false)
})

test.each([
  "process . platform !== 'win32'",
  "process . platform === 'linux'",
  "process . platform !== 'nope'",
  'x',
  "process . platform === 'win32' || true",
  'sys . version_info < ( 99 ,)',
])('%j may hold here', (condition) => expect(isOnlyElsewhere(condition)).toBe(false))

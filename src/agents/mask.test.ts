import { expect, test } from 'vitest'
import { createMask, maskDeep } from './mask.ts'

const env = {
  MY_TOKEN: 'hunter2hunter2',
  INNER: 'hunter2',
  SHORT_TOKEN: 'abc',
  OPENAI_API_KEY: 'sk-123456',
  PLAIN: 'ordinary',
  ODD: 'a"b\\c\nd$&(x',
}

test.each([
  ['the token is hunter2hunter2.', 'the token is [MY_TOKEN].'],
  ['hunter2 alone, sk-123456 too', '[INNER] alone, [OPENAI_API_KEY] too'],
  ['abc and ordinary stay', 'abc and ordinary stay'],
  ['as it is: a"b\\c\nd$&(x', 'as it is: [ODD]'],
  [`as JSON: ${JSON.stringify(env.ODD)}`, 'as JSON: "[ODD]"'],
])('%j becomes %j', (text, masked) => {
  expect(createMask(env, ['INNER', 'MY_TOKEN', 'SHORT_TOKEN', 'ODD', 'ABSENT'])(text)).toBe(masked)
})

const npmrc = '//registry.example.org/:_authToken=Zt8fQ2mNp0\nregistry=https://registry.example.org/'
const shortLines = '-----BEGIN KEY-----\nMIIBVgIBADANBgkqh\nkiG9w0BAQEFAASCAUA\n-----END KEY-----'

test.each([
  ['the token of a settings file', { NPMRC_AUTH: npmrc }, '  token: Zt8fQ2mNp0', '  token: [NPMRC_AUTH]'],
  [
    'its other lines stay',
    { NPMRC_AUTH: npmrc },
    'from https://registry.example.org/',
    'from https://registry.example.org/',
  ],
  ['a short line of a key', { MY_KEY: shortLines }, '    | kiG9w0BAQEFAASCAUA', '    | [MY_KEY]'],
  ['the name of its kind stays', { MY_KEY: shortLines }, '-----BEGIN KEY-----', '-----BEGIN KEY-----'],
])('of a value of several lines: %s', (_what, variables, text, masked) => {
  expect(createMask(variables, Object.keys(variables))(text)).toBe(masked)
})

test('without secrets nothing changes', () => {
  const mask = createMask({ A: 'something' }, ['B'])
  expect(mask('something')).toBe('something')
  expect(mask.secrets).toEqual([])
})

test('a whole value is masked, keys too, and nothing else is touched', () => {
  const mask = createMask(env, ['MY_TOKEN'])
  const value = JSON.parse(
    '{"a":["x hunter2hunter2",1,null,true],"hunter2hunter2":{"b":{}},"__proto__":{"p":1}}',
  ) as unknown
  expect(JSON.stringify(maskDeep(value, mask))).toBe(
    '{"a":["x [MY_TOKEN]",1,null,true],"[MY_TOKEN]":{"b":{}},"__proto__":{"p":1}}',
  )
})

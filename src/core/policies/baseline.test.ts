import { expect, test } from 'vitest'
import { meansToMend } from './baseline.ts'

const check = { name: 'test', run: { shell: 'npm run unit' } }

test.each([
  ['Fix the failing tests', true], ['make all tests pass', true], ['The unit suite is red: mend it', true], ['repair unit testing', true],
  ['Add a login page with tests', false], ['Fix the typo in the footer', false], ['', false], ['run npm and fix it', false],
])('F12: %j means to mend the check: %s', (text, expected) => expect(meansToMend(text, check)).toBe(expected))

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { envFileWith } from './env-files.ts'

test.each([
  ['.env', 'DATABASE_URL=x\n', '.env'],
  ['.env.test', 'A=1\nexport DATABASE_URL = x\n', '.env.test'],
  ['.env', '# DATABASE_URL=x\nOTHER_DATABASE_URL=x\n', null],
  ['.env.example', 'DATABASE_URL=\n', null],
  ['env.txt', 'DATABASE_URL=x\n', null],
])('%s with %j', (name, text, expected) => {
  const root = mkdtempSync(join(tmpdir(), 'env-files-'))
  mkdirSync(join(root, 'workspace'))
  writeFileSync(join(root, name), text)
  expect(envFileWith('DATABASE_URL', root, join(root, 'workspace'))).toBe(expected)
  // A file that is in the workspace already does not help.
  writeFileSync(join(root, 'workspace', name), text)
  expect(envFileWith('DATABASE_URL', root, join(root, 'workspace'))).toBe(null)
  rmSync(root, { recursive: true })
})

test('a folder that cannot be read has none', () => expect(envFileWith('A_B', '/nowhere', '/')).toBe(null))

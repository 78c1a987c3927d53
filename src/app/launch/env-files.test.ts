import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { envFileNamed, envFileWith, foldersOfCheck } from './env-files.ts'

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
  expect(envFileWith('DATABASE_URL', { root, workspace: join(root, 'workspace'), folders: ['.'] })).toBe(expected)
  // A file that is in the workspace already does not help.
  writeFileSync(join(root, 'workspace', name), text)
  expect(envFileWith('DATABASE_URL', { root, workspace: join(root, 'workspace'), folders: ['.'] })).toBe(null)
  rmSync(root, { recursive: true })
})

test('a folder that cannot be read has none', () =>
  expect(envFileWith('A_B', { root: '/nowhere', workspace: '/', folders: ['.'] })).toBe(null))

test.each([
  ['cd packages/api && npm test', ['packages/api', '.']],
  ['npm test --prefix=packages/api/', ['packages/api', '.']],
  ['npm test --prefix ./packages/web -- ../packages/api /etc .env', ['packages/web', '.']],
  ['npm test', ['.']],
])('%s: the folders of its command line come before the root', (command, expected) => {
  const root = mkdtempSync(join(tmpdir(), 'env-files-'))
  for (const name of ['packages/api', 'packages/web']) mkdirSync(join(root, name), { recursive: true })
  expect(foldersOfCheck(command, root)).toEqual(expected)
  rmSync(root, { recursive: true })
})

test('the file of the package whose check failed is found, by its name and by its variable', () => {
  const root = mkdtempSync(join(tmpdir(), 'env-files-'))
  const workspace = join(root, 'workspace')
  for (const name of ['packages/api', 'packages/web', 'workspace']) mkdirSync(join(root, name), { recursive: true })
  for (const name of ['packages/web/.env', 'packages/api/.env', '.env']) writeFileSync(join(root, name), 'A_B=1\n')
  const places = { root, workspace, folders: foldersOfCheck('cd packages/api && npm test', root) }
  expect(envFileWith('A_B', places)).toBe('packages/api/.env')
  expect(envFileNamed('.env', places)).toBe('packages/api/.env')
  rmSync(join(root, 'packages/api/.env'))
  expect(envFileWith('A_B', places)).toBe('.env')
  expect(envFileNamed('.env.local', places)).toBe(null)
  rmSync(root, { recursive: true })
})

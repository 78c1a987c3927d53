import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/kit/repository.ts'
import { readVersionFiles } from './version-files.ts'

const lock =
  '{\n  "name": "x",\n  "version": "1.2.3",\n  "packages": {\n    "": { "version": "1.2.3" },\n    "node_modules/a": { "version": "1.2.3" }\n  }\n}\n'
const cargoLock =
  '[[package]]\nname = "dep"\nversion = "1.2.3"\nsource = "registry"\n\n[[package]]\nname = "mine"\nversion = "1.2.3"\ndependencies = [\n "dep",\n]\n'

test.each<[path: string, text: string, after: string]>([
  [
    'package.json',
    '{\n\t"name": "x",\n\t"version": "1.2.3",\n\t"dependencies": { "version": "1.2.3" }\n}\n',
    '{\n\t"name": "x",\n\t"version": "1.3.0",\n\t"dependencies": { "version": "1.2.3" }\n}\n',
  ],
  [
    'pyproject.toml',
    '[build-system]\nversion = "9"\n\n[project]\nname = "x"\nversion = \'1.2.3\' # here\n\n[tool.x]\nversion = "8"\n',
    '[build-system]\nversion = "9"\n\n[project]\nname = "x"\nversion = \'1.3.0\' # here\n\n[tool.x]\nversion = "8"\n',
  ],
  [
    'pyproject.toml',
    '[project]\ndynamic = ["version"]\n[tool.poetry]\nversion="1.2.3"\r\n',
    '[project]\ndynamic = ["version"]\n[tool.poetry]\nversion="1.3.0"\r\n',
  ],
  [
    'Cargo.toml',
    '[package]\nname = "mine"\nversion = "1.2.3"\n[dependencies]\nversion = "1.2.3"\n',
    '[package]\nname = "mine"\nversion = "1.3.0"\n[dependencies]\nversion = "1.2.3"\n',
  ],
  [
    'Cargo.toml',
    '[workspace.package]\nversion = "1.2.3"\n[package]\nversion.workspace = true\n',
    '[workspace.package]\nversion = "1.3.0"\n[package]\nversion.workspace = true\n',
  ],
  ['VERSION', '1.2.3\n', '1.3.0\n'],
])('%s: the version is changed and nothing else', async (path, text, after) => {
  const root = temporaryFolder()
  writeFileSync(join(root, path), text)
  const { leading, following } = await readVersionFiles(root)
  expect(leading).toMatchObject([{ path, version: '1.2.3' }])
  expect(leading[0]?.with('1.3.0')).toBe(after)
  expect(following).toEqual([])
})

test('lock files follow', async () => {
  const root = temporaryFolder()
  for (const [path, text] of Object.entries({
    'package.json': '{"version":"1.2.3"}',
    'package-lock.json': lock,
    'Cargo.toml': '[package]\nname = "mine"\nversion = "1.2.3"\n',
    'Cargo.lock': cargoLock,
  }))
    writeFileSync(join(root, path), text)
  const { leading, following } = await readVersionFiles(root)
  expect(leading.map(({ path }) => path)).toEqual(['package.json', 'Cargo.toml'])
  expect(following.map(({ path }) => path)).toEqual(['package-lock.json', 'Cargo.lock'])
  expect(following[0]?.with('1.3.0')).toBe(
    lock
      .replace('"version": "1.2.3"', '"version": "1.3.0"')
      .replace('"": { "version": "1.2.3" }', '"": { "version": "1.3.0" }'),
  )
  expect(following[1]?.with('1.3.0')).toBe(
    cargoLock.replace('name = "mine"\nversion = "1.2.3"', 'name = "mine"\nversion = "1.3.0"'),
  )
})

test.each([
  ['package.json', '{ "private": true }'],
  ['package.json', '{ "version": 1 }'],
  ['package.json', 'not JSON'],
  ['package.json', '[]'],
  ['pyproject.toml', '[project]\nname = "x"\n'],
  ['Cargo.toml', '[package]\nversion.workspace = true\n'],
  ['VERSION', 'two words\n'],
  ['VERSION', ''],
])('%s with %j has no version', async (path, text) => {
  const root = temporaryFolder()
  writeFileSync(join(root, path), text)
  expect(await readVersionFiles(root)).toEqual({ leading: [], following: [] })
})

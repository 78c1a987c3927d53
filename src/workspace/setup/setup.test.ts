import { expect, test } from 'vitest'
import { scan } from '../clones/manifest.ts'
import { packageFiles, treeFiles } from './package-files.ts'
import { setupInputsKey } from './setup.ts'
import { openRepository, temporaryFolder } from '../../../test/kit/repository.ts'

test('the key follows commands, tracked manifests and lock files, and nothing else', async () => {
  const folder = openRepository(temporaryFolder())
  const keyOf = (setup: string[], tracked = ['package-lock.json', 'package.json', 'other.txt']): string =>
    setupInputsKey(folder.root, packageFiles(folder.root, tracked), setup)
  folder.write('package-lock.json', '1')
  folder.write('package.json', '1')
  const key = keyOf(['npm ci'])
  folder.write('other.txt', '1')
  expect(keyOf(['npm ci'])).toBe(key)
  expect(keyOf(['npm install'])).not.toBe(key)
  folder.write('package-lock.json', '2')
  expect(keyOf(['npm ci'])).not.toBe(key)
  folder.write('package-lock.json', '1')
  folder.write('package.json', '2')
  expect(keyOf(['npm ci'])).not.toBe(key)
  const untracked = keyOf(['npm ci'], ['package.json'])
  folder.write('package-lock.json', '3')
  expect(keyOf(['npm ci'], ['package.json'])).toBe(untracked)
})

test('the key of its inputs follows package files in every folder and files that the commands name', async () => {
  const folder = openRepository(temporaryFolder())
  folder.write('scripts/setup.sh', '1')
  const setup = ['npm ci --prefix=sub', 'pip install -r deps/dev.txt', 'sh ./scripts/setup.sh "/etc/passwd" ../x']
  const key = async (): Promise<string> =>
    setupInputsKey(folder.root, packageFiles(folder.root, treeFiles(await scan(folder.root))), setup)
  const keys = [await key()]
  const others = ['other.txt', 'src/package.js', 'node_modules/a/package.json']
  const inputs = [
    'package.json',
    'scripts/setup.sh',
    'package-lock.json',
    'sub/package.json',
    'sub/package-lock.json',
    'packages/a/package.json',
    'packages/a/package.json5',
    'package.yaml',
    'packages/a/.npmrc',
    '.yarnrc.yml',
    '.pnpmfile.cjs',
    'patches/a.patch',
    'deps/dev.txt',
    'apps/web/mix.exs',
    'src/App/App.csproj',
    '.cargo/config.toml',
    'go.work',
  ]
  for (const path of [...others, ...inputs]) {
    folder.write(path, 'new')
    keys.push(await key())
    expect({ path, changed: keys.at(-1) !== keys.at(-2) }).toEqual({ path, changed: inputs.includes(path) })
  }
  expect(setupInputsKey(folder.root, new Map(), [])).toBe(setupInputsKey(temporaryFolder(), new Map(), []))
})

import { expect, test } from 'vitest'
import { discoverSetup, setupInputsKey, setupKey } from './setup.ts'
import { openRepository, temporaryFolder } from '../../test/kit/repository.ts'

const cases: [files: string[], commands: string[]][] = [
  [[], []],
  [['package.json'], []],
  [['package-lock.json'], ['npm ci']],
  [['npm-shrinkwrap.json'], ['npm ci']],
  [['package-lock.json', 'npm-shrinkwrap.json'], ['npm ci']],
  [['pnpm-lock.yaml'], ['pnpm install --frozen-lockfile']],
  [['yarn.lock'], ['yarn install --frozen-lockfile']],
  [['yarn.lock', '.yarnrc.yml'], ['yarn install --immutable']],
  [['bun.lock'], ['bun install --frozen-lockfile']],
  [['bun.lockb'], ['bun install --frozen-lockfile']],
  [['uv.lock'], ['uv sync --frozen']],
  [['poetry.lock'], ['poetry install']],
  [
    ['package-lock.json', 'uv.lock'],
    ['npm ci', 'uv sync --frozen'],
  ],
  [['pnpm-lock.yaml', 'package-lock.json'], ['pnpm install --frozen-lockfile']],
  [['sub/package-lock.json'], []],
]

test.each(cases)('%j is set up by %j', (files, commands) => {
  const folder = openRepository(temporaryFolder())
  for (const file of files) folder.write(file, '')
  expect(discoverSetup(folder.root)).toEqual(commands)
})

test('the key follows commands and lock files, and nothing else', async () => {
  const folder = openRepository(temporaryFolder())
  folder.write('package-lock.json', '1')
  const key = setupKey(folder.root, ['npm ci'])
  folder.write('other.txt', '1')
  expect(setupKey(folder.root, ['npm ci'])).toBe(key)
  expect(setupKey(folder.root, ['npm install'])).not.toBe(key)
  folder.write('package-lock.json', '2')
  expect(setupKey(folder.root, ['npm ci'])).not.toBe(key)
})

test('the key of its inputs follows manifests and files that the commands name', () => {
  const folder = openRepository(temporaryFolder())
  folder.write('scripts/setup.sh', '1')
  const setup = ['npm ci', 'sh ./scripts/setup.sh "/etc/passwd" ../x']
  const keys = [setupInputsKey(folder.root, setup)]
  const inputs = ['package.json', 'scripts/setup.sh', 'package-lock.json']
  for (const path of ['other.txt', ...inputs]) {
    folder.write(path, 'new')
    keys.push(setupInputsKey(folder.root, setup))
    expect({ path, changed: keys.at(-1) !== keys.at(-2) }).toEqual({ path, changed: inputs.includes(path) })
  }
  expect(setupInputsKey(folder.root, [])).toBe(setupInputsKey(temporaryFolder(), []))
})

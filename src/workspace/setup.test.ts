import { expect, test } from 'vitest'
import { scan } from './manifest.ts'
import { packageFiles } from './package-files.ts'
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

test('the key of its inputs follows package files in every folder and files that the commands name', async () => {
  const folder = openRepository(temporaryFolder())
  folder.write('scripts/setup.sh', '1')
  const setup = ['npm ci --prefix=sub', 'pip install -r deps/dev.txt', 'sh ./scripts/setup.sh "/etc/passwd" ../x']
  const key = async (): Promise<string> =>
    setupInputsKey(folder.root, packageFiles(folder.root, await scan(folder.root)), setup)
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

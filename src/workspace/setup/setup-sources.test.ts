import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openRepository, temporaryFolder } from '../../../test/kit/repository.ts'
import { scan } from '../clones/manifest.ts'
import { packageFiles, treeFiles } from './package-files.ts'
import { setupReadsSources } from './setup-sources.ts'

async function readsSources(line: string, files: Record<string, string | object> = {}): Promise<boolean> {
  const folder = openRepository(temporaryFolder())
  for (const [path, content] of Object.entries(files))
    folder.write(path, typeof content === 'string' ? content : JSON.stringify(content))
  return setupReadsSources(folder.root, packageFiles(folder.root, treeFiles(await scan(folder.root))), [line])
}

test.each([
  'uv sync',
  'uv sync --frozen',
  'poetry install',
  'pipenv install',
  'bundle install',
  'composer install',
  'make',
])('%s may build the project itself', async (line) => {
  expect(await readsSources(line)).toBe(true)
})

test.each(['npm ci', 'yarn', 'cargo fetch', 'go mod download', 'mix deps.get'])('%s reads no sources', async (line) => {
  expect(await readsSources(line)).toBe(false)
})

describe('pip install -r', () => {
  const pip = 'pip install -r r.txt'
  const packages = '# tools\nrequests==2.31.0  # http\n\nDjango[argon2] >=4,<5 ; python_version >= "3.8"\nruff\r\n'
  const hashed =
    '--index-url https://pypi.org/simple\n--require-hashes\n'
    + 'ruff==1 \\\n    --hash=sha256:ab \\\n    --hash=sha256:cd\n'

  test.each([
    [pip, packages],
    [pip, hashed],
    [pip, ''],
    [`python3 -m ${pip} -q --no-deps`, packages],
    [`${pip} --index-url=https://host:1/simple`, packages],
  ])('%s reads no sources when it names packages only: %j', async (line, text) => {
    expect(await readsSources(line, { 'r.txt': text })).toBe(false)
  })

  test.each([
    '-e .',
    '.',
    './lib',
    '../lib',
    'lib/',
    '/lib',
    '--editable=.',
    '.[dev]',
    '-r other.txt',
    '-c limits.txt',
    'lib.whl',
    'lib.zip',
    'lib @ file:///lib',
    '${HOME}/lib',
    '-f wheels',
    '--find-links=wheels',
    '# comment \\\n-e .',
    '# comment\u2028-e .',
    'lib.z\\\nip',
  ])('reads sources when it may name a path: %j', async (text) => {
    expect(await readsSources(pip, { 'r.txt': `${packages}${text}\n` })).toBe(true)
  })

  test.each([
    'pip install -r none.txt',
    'pip install -r ../r.txt',
    'pip install -r /r.txt',
    `${pip} -r none.txt`,
    `${pip} -e.`,
    `${pip} .`,
    `${pip} --constraint=r.txt`,
    `${pip};make`,
    `${pip} --find-links=wheels`,
    'pip install .',
  ])('%s reads sources', async (line) => {
    expect(await readsSources(line, { 'r.txt': packages })).toBe(true)
  })
})

const registry = (name: string): string => `https://registry.npmjs.org/${name}/-/${name}-1.0.0.tgz`
const npmLock = (found: object, path = 'node_modules/dep'): object => ({
  lockfileVersion: 3,
  packages: { '': { hasInstallScript: true }, [path]: found },
})
const plain = { resolved: registry('dep') }
const scripted = { resolved: registry('dep'), hasInstallScript: true }
const manifest = { dependencies: { dep: '1' } }

describe('options', () => {
  test.each([
    'npm ci --prefix=sub',
    'pnpm install --dir=sub --frozen-lockfile',
    'yarn --cwd=sub',
    'npm ci --cache=.c --no-audit --omit=dev -s',
    'cargo fetch --manifest-path=sub/Cargo.toml --locked',
  ])('%s reads package files only', async (line) => {
    expect(await readsSources(line)).toBe(false)
  })

  test.each([
    'npm ci --prefix=../sub',
    'npm ci --prefix=/sub',
    'npm ci --prefix sub',
    'pnpm -C sub install',
    'pnpm install -C sub',
    'npm ci --userconfig=settings',
    'npm ci --script-shell=./shell',
    'npm ci && node build.mjs',
    'cargo fetch --config=c.toml',
  ])('%s may read other files', async (line) => {
    expect(await readsSources(line)).toBe(true)
  })
})

describe('scripts of the project', () => {
  test.each(['dependencies', 'postinstall', 'prepare', 'prepublish', 'preinstall', 'pnpm:devPreinstall'])(
    '%s is run, in every folder',
    async (name) => {
      for (const path of ['package.json', 'packages/a/package.json']) {
        const files = { [path]: { scripts: { [name]: 'node build.mjs' } } }
        expect(await readsSources('npm ci', files)).toBe(true)
        expect(await readsSources('npm ci --ignore-scripts=false', files)).toBe(true)
        expect(await readsSources('npm ci --ignore-scripts', files)).toBe(false)
      }
    },
  )

  test.each([{ test: 'node --test' }, { build: 'tsc', prepack: 'tsc' }, { prepare: 'husky' }])(
    '%j is not run, or reads nothing',
    async (scripts) => {
      expect(await readsSources('npm ci', { 'package.json': { scripts } })).toBe(false)
    },
  )

  test.each([
    ['npm ci', { 'addon/binding.gyp': '{}' }],
    ['pnpm install', { 'package.yaml': 'name: a\n' }],
    ['pnpm install', { 'packages/a/package.json5': '{}' }],
    ['pnpm install --ignore-scripts', { '.pnpmfile.cjs': '' }],
    ['yarn --ignore-scripts', { '.yarnrc.yml': 'yarnPath: .yarn/releases/yarn-4.1.0.cjs\n' }],
    ['yarn --mode=skip-build', { '.yarnrc.yml': 'plugins:\n  - ./plugin.cjs\n' }],
    ['yarn --ignore-scripts', { '.yarnrc': 'yarn-path "tools/yarn.js"\n' }],
    ['npm ci --ignore-scripts', { '.npmrc': 'node-options=--require ./hook.cjs\n' }],
    ['npm ci', { 'packages/a/.npmrc': 'save-exact=true\nscript-shell = ./shell\n' }],
    ['npm ci', { 'package.json': 'no JSON' }],
  ])('%s runs code of the tree by %j', async (line, files) => {
    expect(await readsSources(line, files)).toBe(true)
  })

  test('usual settings run nothing', async () => {
    const npmrc = '# ours\n\nregistry=https://host/\r\n@a:registry=https://host/\n//host/:_authToken=${T}\nfund=false\n'
    expect(await readsSources('npm ci', { '.npmrc': npmrc, 'package.json': { name: 'a' } })).toBe(false)
  })

  test('a manifest that is a link may be any file', async () => {
    const folder = openRepository(temporaryFolder())
    symlinkSync('other.json', join(folder.root, 'package.json'))
    const files = packageFiles(folder.root, treeFiles(await scan(folder.root)))
    expect(setupReadsSources(folder.root, files, ['npm ci'])).toBe(true)
  })
})

describe('scripts of dependencies', () => {
  const pnpmLock = (version: string, more = ''): string =>
    `lockfileVersion: '${version}'\n\npackages:\n\n  dep@1.0.0:\n    resolution: {integrity: x}\n${more}`
  const pnpm10 = { packageManager: 'pnpm@10.1.0', ...manifest }
  const yarnLock = 'dep@1:\n  version "1.0.0"\n  resolved "https://host/dep.tgz"\n'
  const cases: [line: string, files: Record<string, string | object>, expected: boolean][] = [
    ['npm ci', { 'package.json': manifest, 'package-lock.json': npmLock(plain) }, false],
    ['npm install', { 'package.json': manifest, 'package-lock.json': npmLock(plain) }, false],
    ['npm install', { 'package.json': manifest }, true],
    ['npm install', { 'package.json': manifest, 'package-lock.json': npmLock(plain, 'node_modules/other') }, true],
    ['npm ci', { 'package-lock.json': npmLock(scripted) }, true],
    ['npm ci --ignore-scripts', { 'package-lock.json': npmLock(scripted) }, false],
    ['npm ci --prefix=sub', { 'sub/package-lock.json': npmLock(scripted) }, true],
    ['npm ci', { 'npm-shrinkwrap.json': npmLock(scripted, 'node_modules/a/node_modules/dep') }, true],
    ['npm ci', { 'package-lock.json': npmLock({ ...scripted, resolved: registry('esbuild') }) }, false],
    [
      'npm ci',
      { 'package-lock.json': npmLock({ ...scripted, resolved: 'https://host/esbuild/-/esbuild-1.tgz' }) },
      true,
    ],
    ['npm ci', { 'package-lock.json': npmLock({ resolved: 'packages/a', link: true }) }, false],
    ['npm ci', { 'package-lock.json': npmLock({ hasInstallScript: true }, 'packages/a') }, false],
    ['npm ci --ignore-scripts', { 'package-lock.json': npmLock({ resolved: 'file:dep.tgz' }) }, true],
    ['npm ci', { 'package-lock.json': { lockfileVersion: 1, dependencies: { dep: { version: '1.0.0' } } } }, true],
    ['npm ci', { 'package-lock.json': 'no JSON' }, true],
    ['pnpm install', { 'pnpm-lock.yaml': pnpmLock('6.0') }, false],
    ['pnpm install', { 'pnpm-lock.yaml': pnpmLock('6.0', '    requiresBuild: true\n') }, true],
    ['pnpm install', { 'pnpm-lock.yaml': pnpmLock('9.0') }, true],
    ['pnpm install', { 'pnpm-lock.yaml': "lockfileVersion: '9.0'\n" }, false],
    ['pnpm install', { 'pnpm-lock.yaml': pnpmLock('9.0'), 'package.json': pnpm10 }, false],
    [
      'pnpm install',
      { 'pnpm-lock.yaml': pnpmLock('9.0'), 'package.json': { ...pnpm10, pnpm: { onlyBuiltDependencies: ['dep'] } } },
      true,
    ],
    [
      'pnpm install',
      {
        'pnpm-lock.yaml': pnpmLock('9.0'),
        'package.json': pnpm10,
        'pnpm-workspace.yaml': 'onlyBuiltDependencies:\n  - dep\n',
      },
      true,
    ],
    ['pnpm install', { 'package.json': manifest }, true],
    ['pnpm install', { 'package.json': { dependencies: { dep: 'file:dep' } }, 'pnpm-lock.yaml': '' }, true],
    ['yarn', { 'package.json': manifest, 'yarn.lock': yarnLock }, true],
    ['yarn --ignore-scripts', { 'package.json': manifest, 'yarn.lock': yarnLock }, false],
    ['yarn', { 'yarn.lock': '# yarn lockfile v1\n' }, false],
    ['yarn', { 'yarn.lock': '"p@workspace:.":\n  resolution: "p@workspace:."\n' }, false],
    ['yarn', { 'yarn.lock': yarnLock, '.yarnrc.yml': 'enableScripts: false\n' }, false],
    ['yarn', { 'yarn.lock': yarnLock, '.yarnrc.yml': 'enableScripts: true\n' }, true],
    ['bun install', { 'bun.lock': '{"packages": {"dep": ["dep@1"]}}' }, true],
    ['bun install', { 'bun.lock': '{"packages": {}}' }, false],
    ['bun install', { 'bun.lockb': '\0' }, true],
  ]

  test.each(cases)('%s with %j: %s', async (line, files, expected) => {
    expect(await readsSources(line, files)).toBe(expected)
  })
})

/** Projects of npm, pnpm, yarn and bun. */
import { dev, projectOf, testSkeletons, tests, type Skeleton } from '../../test/kit/skeletons.ts'
import { describe, expect, test } from 'vitest'
import { discoverProject } from './discover.ts'

const skeletons: Skeleton[] = [
  {
    is: 'npm',
    files: { 'package.json': { scripts: tests }, 'package-lock.json': '{}' },
    setup: ['npm ci'],
    checks: ['npm test'],
  },
  { is: 'npm without dependencies', files: { 'package.json': { scripts: tests } }, checks: ['npm test'] },
  {
    is: 'npm without a lock file',
    files: { 'package.json': { scripts: tests, ...dev } },
    setup: ['npm install --no-package-lock'],
    checks: ['npm test'],
  },
  {
    is: 'pnpm with types and lint',
    files: { 'package.json': { scripts: { ...tests, typecheck: 'tsc', lint: 'oxlint' } }, 'pnpm-lock.yaml': '' },
    setup: ['pnpm install --frozen-lockfile'],
    checks: ['pnpm test'],
    proposed: ['pnpm run typecheck', 'pnpm run lint'],
  },
  {
    is: 'yarn 1',
    files: { 'package.json': { scripts: tests }, 'yarn.lock': '' },
    setup: ['yarn install --frozen-lockfile'],
    checks: ['yarn test'],
  },
  {
    is: 'yarn 4',
    files: { 'package.json': { scripts: tests }, 'yarn.lock': '', '.yarnrc.yml': '' },
    setup: ['yarn install --immutable'],
    checks: ['yarn test'],
  },
  {
    is: 'bun, whose own runner is not the script',
    files: { 'package.json': { scripts: tests }, 'bun.lock': '' },
    setup: ['bun install --frozen-lockfile'],
    checks: ['bun run test'],
  },
  {
    is: 'the declared manager before the lock file of another',
    files: { 'package.json': { scripts: tests, packageManager: 'yarn@4.1.0', ...dev }, 'pnpm-lock.yaml': '' },
    setup: ['yarn install --no-immutable'],
    checks: ['yarn test'],
  },
  {
    is: 'an unknown package manager',
    files: { 'package.json': { scripts: tests, packageManager: 'evil; rm -rf /' }, 'package-lock.json': '' },
    setup: ['npm ci'],
    checks: ['npm test'],
  },
  {
    is: "npm init's placeholder",
    files: { 'package.json': { scripts: { test: 'echo "Error: no test specified"' } } },
    checks: [],
  },
  {
    is: 'node:test without a script',
    files: { 'package.json': {}, 'test/a.test.js': "import { test } from 'node:test'" },
    checks: ['node --test'],
  },
  {
    is: 'TypeScript without a script for types',
    files: { 'package.json': { scripts: tests, devDependencies: { typescript: '7' } }, 'tsconfig.json': '{}' },
    setup: ['npm install --no-package-lock'],
    checks: ['npm test'],
    proposed: ['npx tsc --noEmit'],
  },
  {
    is: 'a lint script that changes files',
    files: { 'package.json': { scripts: { ...tests, lint: 'eslint . --fix' } } },
    checks: ['npm test'],
    notes: ['the script "lint" changes files, so it is not a check'],
  },
  { is: 'a byte order mark', files: { 'package.json': '\uFEFF{"scripts":{"test":"x"}}' }, checks: ['npm test'] },
  {
    is: 'a package.json that is not JSON',
    files: { 'package.json': '{ "scripts": ', Makefile: 'test:\n' },
    checks: ['make test'],
    notes: ['package.json is not valid JSON, so its scripts were ignored'],
  },
  { is: 'odd scripts', files: { 'package.json': { scripts: { test: 3, lint: null } } }, checks: [] },
  {
    is: 'npm workspaces without a root script',
    files: {
      'package.json': { workspaces: ['packages/*'] },
      'package-lock.json': '',
      'packages/a/package.json': { name: 'a', scripts: tests },
      'packages/b/package.json': { name: '@x/b', scripts: tests },
      'packages/c/package.json': { name: 'c' },
      'packages/a/examples/z/package.json': { name: 'z', scripts: tests },
    },
    setup: ['npm ci'],
    checks: ['npm test --workspace a', 'npm test --workspace @x/b'],
  },
  {
    is: 'npm workspaces with a root script',
    files: {
      'package.json': { workspaces: { packages: ['packages/*'] }, scripts: { test: 'npm test -ws' } },
      'packages/a/package.json': { name: 'a', scripts: tests },
    },
    setup: ['npm install --no-package-lock'],
    checks: ['npm test'],
  },
  {
    is: 'pnpm workspaces with an excluded folder',
    files: {
      'package.json': {},
      'pnpm-workspace.yaml':
        "packages:\n  # all\n  - 'packages/*'\n  - \"apps/**\"\n  - '!packages/old'\ncatalog:\n  x: 1\n",
      'pnpm-lock.yaml': '',
      'packages/a/package.json': { name: 'a', scripts: tests },
      'packages/old/package.json': { name: 'old', scripts: tests },
      'apps/web/site/package.json': { name: 'site', scripts: tests },
    },
    setup: ['pnpm install --frozen-lockfile'],
    checks: ['pnpm --filter site test', 'pnpm --filter a test'],
  },
  {
    is: 'a workspace whose name means something to a shell',
    files: {
      'package.json': { workspaces: ['p/*'] },
      'yarn.lock': '',
      'p/a/package.json': { name: 'a; rm -rf ~', scripts: tests },
    },
    setup: ['yarn install --frozen-lockfile'],
    checks: [],
    notes: ['1 workspace has no valid name, so no check runs its tests'],
  },
  {
    is: 'workspaces of yarn 4, more than fit a list',
    files: {
      'package.json': { workspaces: ['p/*'] },
      'yarn.lock': '',
      '.yarnrc.yml': '',
      ...Object.fromEntries(
        Array.from({ length: 20 }, (_, n) => [`p/${n}/package.json`, { name: `p${n}`, scripts: tests }]),
      ),
    },
    setup: ['yarn install --immutable'],
    checks: ['yarn workspaces foreach --all run test'],
  },
  {
    is: 'more workspaces than fit a list',
    files: {
      'package.json': { workspaces: ['p/*'] },
      ...Object.fromEntries(
        Array.from({ length: 20 }, (_, n) => [`p/${n}/package.json`, { name: `p${n}`, scripts: tests }]),
      ),
    },
    setup: ['npm install --no-package-lock'],
    checks: ['npm test --workspaces --if-present'],
  },
]

describe('discoverProject, Node', () => {
  testSkeletons(skeletons)

  test.each(['', 'web/'])('workspaces in %j: each check names its package and those it depends on', async (folder) => {
    const { checks } = await discoverProject(
      projectOf({
        [`${folder}package.json`]: { workspaces: ['packages/*'] },
        [`${folder}packages/app/package.json`]: { name: 'app', scripts: tests, dependencies: { lib: '*', left: '1' } },
        [`${folder}packages/lib/package.json`]: { name: 'lib', scripts: tests, devDependencies: { '@x/core': '*' } },
        [`${folder}packages/core/package.json`]: { name: '@x/core' },
      }),
    )
    const at = (...names: string[]): string[] => names.map((name) => `${folder}packages/${name}`)
    expect(checks.map(({ paths }) => paths)).toEqual([at('app', 'lib', 'core'), at('lib', 'core')])
  })
})

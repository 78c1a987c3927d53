/** Work that is green only with the set-up of an earlier tree: what npm would install or build now is different. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, vi } from 'vitest'
import { playCase, product, type HostileCase } from '../kit/hostile.ts'

vi.setConfig({ testTimeout: 600_000 })

const npmCi = 'npm ci --cache=.c --no-update-notifier'
const ignored = { '.gitignore': 'node_modules\ndist\n.c\n' }
const lockOf = (packages: object): string =>
  `${JSON.stringify({ name: 'p', version: '1.0.0', lockfileVersion: 3, requires: true, packages })}\n`
const manifest = (more: object = {}): string => `${JSON.stringify({ name: 'p', version: '1.0.0', ...more })}\n`

/** A project with a workspace: `npm ci` links it, without any registry. */
const withWorkspace = {
  ...product,
  ...ignored,
  'package.json': manifest({ workspaces: ['packages/a'] }),
  'packages/a/package.json': manifest({ name: 'a' }),
  'package-lock.json': lockOf({
    '': { name: 'p', version: '1.0.0', workspaces: ['packages/a'] },
    'node_modules/a': { resolved: 'packages/a', link: true },
    'packages/a': { version: '1.0.0' },
  }),
}

/** Its folder `sub` has dependencies of its own, which the product imports. */
const withPrefix = {
  ...product,
  ...ignored,
  'a/package.json': manifest({ name: 'a', main: 'index.js' }),
  'a/index.js': '',
  'lib/add.mjs': "export { add } from '../sub/add.mjs'\n",
  'sub/add.mjs': "import 'a'\nexport const add = (a, b) => a + b\n",
  'sub/package.json': manifest({ dependencies: { a: 'file:../a' } }),
  'sub/package-lock.json': lockOf({
    '': { name: 'p', version: '1.0.0', dependencies: { a: 'file:../a' } },
    '../a': { version: '1.0.0' },
    'node_modules/a': { resolved: '../a', link: true },
  }),
}

/** A package as an archive, which is plain text. */
function archiveOf(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'looper-archive-'))
  try {
    mkdirSync(join(folder, 'package'))
    writeFileSync(join(folder, 'package', 'package.json'), text)
    return execFileSync('tar', ['-c', '-C', folder, 'package']).toString('latin1')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A dependency that generates code from a file of the project when it is installed, as clients of databases do. */
function withGenerator(): Record<string, string> {
  const scripts = { postinstall: 'cp "$INIT_CWD/schema.json" generated.json' }
  const client = { version: '1.0.0', resolved: 'file:client.tar', hasInstallScript: true }
  const dependencies = { client: 'file:client.tar' }
  return {
    ...product,
    ...ignored,
    'client.tar': archiveOf(manifest({ name: 'client', scripts })),
    'package.json': manifest({ dependencies }),
    'package-lock.json': lockOf({ '': { name: 'p', version: '1.0.0', dependencies }, 'node_modules/client': client }),
    'schema.json': '{"user":1}\n',
    'test/user.mjs': `import { createRequire } from 'node:module'
if (createRequire(import.meta.url)('client/generated.json').user !== 1) throw new Error('no user')
`,
  }
}

const cases: HostileCase[] = [
  {
    name: 'a product that a script after the installation builds, broken',
    expected: 'failed',
    setup: [npmCi],
    files: {
      ...withWorkspace,
      'package.json': manifest({ workspaces: ['packages/a'], scripts: { dependencies: 'node build.mjs' } }),
      'build.mjs': `import fs from 'node:fs'\nfs.cpSync('src', 'dist', { recursive: true })\n`,
      'src/add.mjs': product['lib/add.mjs'] ?? '',
      'lib/add.mjs': "export * from '../dist/add.mjs'\n",
    },
    coder: `write('src/add.mjs', 'export const add = () => 0\\n')`,
  },
  {
    name: 'a dependency removed from a folder that set-up names by an option',
    expected: 'failed',
    setup: [`${npmCi} --prefix=sub`],
    files: withPrefix,
    coder: `write('sub/package.json', ${JSON.stringify(manifest())})
write('sub/package-lock.json', ${JSON.stringify(lockOf({ '': { name: 'p', version: '1.0.0' } }))})`,
  },
  {
    name: 'a dependency of a workspace that is not in the lock file',
    expected: 'failed',
    setup: [npmCi],
    files: withWorkspace,
    coder: `write('packages/a/package.json', ${JSON.stringify(manifest({ name: 'a', dependencies: { b: '1.3.0' } }))})`,
    told: 'set-up',
  },
  {
    name: 'a file that a dependency reads when it is installed',
    expected: 'failed',
    setup: [npmCi],
    files: withGenerator(),
    coder: `write('schema.json', '{"member":1}\\n')`,
  },
  {
    name: 'the same, with a change that the tests allow',
    expected: 'completed',
    setup: [npmCi],
    files: withGenerator(),
    coder: `write('schema.json', '{"user":1,"member":1}\\n')`,
  },
]

test.each(cases)('F12: $name', async (hostile) => void (await playCase(hostile)))

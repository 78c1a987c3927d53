import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openRepository, temporaryFolder } from '../../../test/kit/repository.ts'
import { packageFiles } from '../setup/package-files.ts'
import { storedKey, type ProductsQuestion } from './products-key.ts'

/** A workspace with a lock file, a checkout, a home folder and a folder of programs. */
function arrange() {
  const [work, checkout, home, bin] = Array.from({ length: 4 }, () => openRepository(temporaryFolder()))
  if (!work || !checkout || !home || !bin) throw new Error('there are four')
  work.write('package.json', '{"name":"app"}')
  work.write('package-lock.json', '{"packages":{}}')
  for (const name of ['npm', 'node']) {
    bin.write(name, '#!/bin/sh\n')
    chmodSync(join(bin.root, name), 0o755)
  }
  const env = { HOME: home.root, PATH: `relative:${bin.root}`, TERM: 'dumb' }
  const ask = (more: Partial<ProductsQuestion> = {}, setup: object = {}, day = '2026-01-01'): string | null =>
    storedKey(
      {
        path: work.root,
        setup: { root: checkout.root, copy: ['.env'], setup: ['npm ci'], env, own: ['OWN'], ...setup },
        inputs: {
          tree: 'tree',
          links: new Map(),
          files: packageFiles(work.root, ['package.json', 'package-lock.json']),
        },
        isBase: false,
        ...more,
      },
      day,
    )
  return { work, checkout, home, bin, env, ask }
}

test('the key is the same for another tree, workspace, day and terminal', () => {
  const { work, env, ask } = arrange()
  const key = ask()
  const { files } = { files: packageFiles(work.root, ['package.json', 'package-lock.json']) }
  expect(key).not.toBeNull()
  expect(ask({ inputs: { tree: 'other', links: new Map(), files } })).toBe(key)
  expect(ask({ isBase: true })).toBe(key)
  expect(ask({}, {}, '2026-01-02')).toBe(key)
  expect(ask({}, { env: { ...env, TERM: 'xterm' } })).toBe(key)
  expect(ask({}, { setup: ['npm ci', 'npm run build'] })).toBe(key)
})

const changes: [what: string, change: (arranged: ReturnType<typeof arrange>) => object | void][] = [
  ['a manifest', ({ work }) => work.write('package.json', '{"name":"app","version":"2.0.0"}')],
  ['a lock file', ({ work }) => work.write('package-lock.json', '{"packages":{"a":{}}}')],
  ['a copied file', ({ checkout }) => checkout.write('.env', 'A=1')],
  ['a command', () => ({ setup: ['npm ci --omit=dev'] })],
  ['the program of npm', ({ bin }) => bin.write('npm', '#!/bin/sh\n# newer\n')],
  ['the program of node', ({ bin }) => bin.write('node', '#!/bin/sh\n# newer\n')],
  ['settings of npm in the home folder', ({ home }) => home.write('.npmrc', 'omit=dev\n')],
  ['a variable of npm', ({ env }) => ({ env: { ...env, npm_config_omit: 'dev' } })],
  ['NODE_ENV', ({ env }) => ({ env: { ...env, NODE_ENV: 'production' } })],
  ['a variable that the configuration sets', ({ env }) => ({ env: { ...env, OWN: '1' } })],
]
test.each(changes)('the key follows %s', (_, change) => {
  const arranged = arrange()
  const key = arranged.ask()
  const setup = change(arranged) ?? {}
  expect(arranged.ask({}, setup)).not.toBe(key)
})

test('without a lock file, products are made again the next day', () => {
  const { work, ask } = arrange()
  const inputs = { tree: 'tree', links: new Map(), files: packageFiles(work.root, ['package.json']) }
  const setup = { setup: ['npm install --no-package-lock'] }
  const key = ask({ inputs }, setup)
  expect(ask({ inputs }, setup)).toBe(key)
  expect(ask({ inputs }, setup, '2026-01-02')).not.toBe(key)
})

test('commands that read the tree have a key at the base only, and that follows the tree', () => {
  const { work, ask } = arrange()
  work.write('package.json', '{"scripts":{"prepare":"node build.js"}}')
  const files = packageFiles(work.root, ['package.json', 'package-lock.json'])
  const at = (tree: string, isBase: boolean) => ask({ inputs: { tree, links: new Map(), files }, isBase })
  expect(at('one', false)).toBeNull()
  expect(at('one', true)).not.toBeNull()
  expect(at('one', true)).not.toBe(at('two', true))
})

test.each([[[]], [['make deps']], [['cargo fetch']]])('the set-up %j has no key', (setup) => {
  expect(arrange().ask({ isBase: true }, { setup })).toBeNull()
})

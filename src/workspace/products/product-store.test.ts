import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LooperError } from '../../model/error.ts'
import { changeSecretly, listing } from '../../../test/kit/verification.ts'
import { openRepository, temporaryFolder } from '../../../test/kit/repository.ts'
import { openProductStore, type ProductStore, type Wanted } from './product-store.ts'
import { listStore, lockEntry, removeEntry, trimStore } from './store-contents.ts'

const limits = { bytes: 1e9, entries: 64 }
const keyOf = (n: number): string => String(n).repeat(64).slice(0, 64)
const key = keyOf(1)

/** A store, and workspaces in which a set-up counts its runs. */
function arrange() {
  const home = temporaryFolder()
  const store = join(home, 'store')
  const open = (): ProductStore => openProductStore({ store, checkout: 'checkout', limits })
  let [made, runs] = [0, 0]
  const workspace = (): Wanted => {
    const path = join(home, `work ${++made}`)
    const { write } = openRepository(path)
    write('package.json', '{}')
    write('packages/a/package.json', '{}')
    write('.git/config', '[core]\n')
    return { key, path, mark: 'test:setup:1' }
  }
  const install =
    ({ path }: Wanted, more: (path: string) => void = () => {}) =>
    async (): Promise<void> => {
      runs += 1
      const { write } = openRepository(path)
      write('node_modules/a/index.js', 'a')
      write('node_modules/.bin/tool', '#!/bin/sh\n')
      write('packages/a/node_modules/b/index.js', 'b')
      chmodSync(join(path, 'node_modules/.bin/tool'), 0o755)
      symlinkSync('../a/index.js', join(path, 'node_modules/.bin/a'))
      utimesSync(join(path, 'node_modules/a/index.js'), 1_000, 1_000)
      more(path)
    }
  const entry = join(store, 'checkout', key)
  return { home, store, open, workspace, install, entry, runs: () => runs }
}

describe('products', () => {
  test('are made once and copied, with modes, times and links', async () => {
    const { open, workspace, install, runs } = arrange()
    const [first, second, third] = [workspace(), workspace(), workspace()]
    const products = open()
    await Promise.all([first, second].map((wanted) => products.bring(wanted, install(wanted))))
    await open().bring(third, install(third))
    expect(runs()).toBe(1)
    expect(listing(second.path)).toEqual(listing(first.path))
    expect(listing(third.path)).toEqual(listing(first.path))
    expect(lstatSync(join(third.path, 'node_modules/a/index.js')).mtimeMs).toBe(1_000_000)
    expect(lstatSync(join(third.path, 'node_modules/a/index.js')).nlink).toBe(1)
  })

  /** A file at the top cannot be renamed without a new time, so products with one are not stored as an archive. */
  const topFile = (path: string): void => writeFileSync(join(path, '.pnp.cjs'), 'a')
  const forms: [form: string, more: (path: string) => void][] = [
    ['an archive', () => {}],
    ['a folder', topFile],
  ]
  test.each(forms)('stored as %s are made again when they changed, even if times were reset', async (_, more) => {
    const { open, workspace, install, entry, runs } = arrange()
    const [first, second] = [workspace(), workspace()]
    await open().bring(first, install(first, more))
    const file = existsSync(join(entry, 'files.tar')) ? 'files.tar' : 'files/node_modules/a/index.js'
    changeSecretly(join(entry, file), readFileSync(join(entry, file), 'latin1').replace('a', 'b'))
    await open().bring(second, install(second, more))
    expect(runs()).toBe(2)
    expect(listing(second.path)).toEqual(listing(first.path))
    const third = workspace()
    await open().bring(third, install(third))
    expect(runs()).toBe(2)
    expect(listing(third.path)).toEqual(listing(first.path))
  })

  const damages: [what: string, damage: (entry: string) => void][] = [
    ['a file is missing', (entry) => rmSync(join(entry, 'files/node_modules/a/index.js'))],
    ['a file was added', (entry) => writeFileSync(join(entry, 'files/node_modules/a/more.js'), '')],
    ['a mode was changed', (entry) => chmodSync(join(entry, 'files/node_modules/a'), 0o700)],
    ['its list is cut off', (entry) => writeFileSync(join(entry, 'entry.json'), '{"version":1,"roots":["nod')],
    ['its list is of another version', (entry) => writeFileSync(join(entry, 'entry.json'), '{"version":0}')],
    ['its list names other places', (entry) => writeFileSync(join(entry, 'entry.json'), misleading)],
    ['its files are gone', (entry) => rmSync(join(entry, 'files'), { recursive: true })],
  ]
  const misleading = '{"version":1,"roots":["../work 1"],"bytes":1,"digest":"","gitConfig":null}'
  test.each(damages)('are made again when %s', async (_, damage) => {
    const { open, workspace, install, entry, runs } = arrange()
    const [first, second] = [workspace(), workspace()]
    await open().bring(first, install(first, topFile))
    damage(entry)
    await open().bring(second, install(second, topFile))
    expect(runs()).toBe(2)
    expect(listing(second.path)).toEqual(listing(first.path))
  })

  const bindings: [what: string, write: (path: string) => void][] = [
    ['a script', (path) => writeFileSync(join(path, 'node_modules/run'), `#!${path}/node_modules/bin/x\n`)],
    ['an address', (path) => writeFileSync(join(path, 'node_modules/map'), `x file://${encodeURI(path)}/a.js`)],
    ['a link', (path) => symlinkSync(join(path, 'package.json'), join(path, 'node_modules/link'))],
    ['a link that leads out', (path) => symlinkSync('../../elsewhere', join(path, 'node_modules/link'))],
    ['a pipe', (path) => void execFileSync('mkfifo', [join(path, 'node_modules/pipe')])],
    ['a changed file of the tree', (path) => writeFileSync(join(path, 'package.json'), '{"a":1}')],
    ['a missing file of the tree', (path) => rmSync(join(path, 'package.json'))],
  ]
  test.each(bindings)('with %s are not stored, and set-up runs in each workspace', async (_, write) => {
    const { open, workspace, install, runs, entry } = arrange()
    for (const wanted of [workspace(), workspace()]) await open().bring(wanted, install(wanted, write))
    expect(runs()).toBe(2)
    expect(readdirSync(entry).toSorted()).toEqual(['bytes', 'entry.json', 'users'])
    const agents = workspace()
    expect(await open().copyInto(agents, () => Promise.reject(new Error('not asked')))).toBeNull()
  })

  test('with files that have another name elsewhere are stored as copies', async () => {
    const { home, open, workspace, install } = arrange()
    writeFileSync(join(home, 'shared'), 'shared')
    const [first, second] = [workspace(), workspace()]
    await open().bring(
      first,
      install(first, (path) => linkSync(join(home, 'shared'), join(path, 'node_modules/shared'))),
    )
    writeFileSync(join(home, 'shared'), 'changed')
    await open().bring(second, install(second))
    expect(lstatSync(join(second.path, 'node_modules/shared')).nlink).toBe(1)
    expect(readFileSync(join(second.path, 'node_modules/shared'), 'utf8')).toBe('shared')
  })

  test('bring the change of the git configuration with them, where it was the same before', async () => {
    const { open, workspace, install, runs } = arrange()
    const [first, second, other] = [workspace(), workspace(), workspace()]
    const husky = (path: string): void => writeFileSync(join(path, '.git/config'), '[core]\n\thooksPath = .husky\n')
    await open().bring(first, install(first, husky))
    await open().bring(second, install(second))
    expect(readFileSync(join(second.path, '.git/config'), 'utf8')).toBe('[core]\n\thooksPath = .husky\n')
    writeFileSync(join(other.path, '.git/config'), '[user]\n')
    await open().bring(other, install(other))
    expect(runs()).toBe(2)
    expect(readFileSync(join(other.path, '.git/config'), 'utf8')).toBe('[user]\n')
  })

  test('replace nothing of the tree: set-up runs where it has a file in their place', async () => {
    const { open, workspace, install, runs } = arrange()
    const [first, tracked, fileAbove] = [workspace(), workspace(), workspace()]
    await open().bring(first, install(first))
    openRepository(tracked.path).write('node_modules/patched.js', 'patched')
    await open().bring(tracked, install(tracked))
    expect(readFileSync(join(tracked.path, 'node_modules/patched.js'), 'utf8')).toBe('patched')
    rmSync(join(fileAbove.path, 'packages'), { recursive: true })
    symlinkSync(first.path, join(fileAbove.path, 'packages'))
    const before = listing(first.path)
    await open().bring(fileAbove, async () => {})
    expect(listing(first.path)).toEqual(before)
    expect(runs()).toBe(2)
  })

  test('replace what an earlier set-up created', async () => {
    const { open, workspace, install } = arrange()
    const [first, used] = [workspace(), workspace()]
    await open().bring(first, install(first))
    openRepository(used.path).write('node_modules/old/index.js', 'old')
    const replaced = ['node_modules/']
    expect(await open().copyInto({ ...used, replaced }, async () => {})).not.toBeNull()
    expect(listing(used.path)).toEqual(listing(first.path))
  })

  test('are wanted by agents: they are made elsewhere, once', async () => {
    const { open, workspace, install, runs } = arrange()
    const products = open()
    const elsewhere = workspace()
    const agents = [workspace(), workspace(), workspace()]
    const makeThem = () => products.bring(elsewhere, install(elsewhere))
    const copied = await Promise.all(agents.map((wanted) => products.copyInto(wanted, makeThem)))
    expect(copied).not.toContain(null)
    expect(runs()).toBe(1)
    for (const { path } of agents) expect(listing(path)).toEqual(listing(elsewhere.path))
  })

  test('fail for all when their set-up fails, and are tried again later', async () => {
    const { open, workspace, install, runs } = arrange()
    const products = open()
    const [first, second, agent] = [workspace(), workspace(), workspace()]
    const fail = () => Promise.reject(new LooperError('WORKSPACE_SETUP', 'npm error'))
    const results = await Promise.allSettled([
      products.bring(first, fail),
      products.bring(second, fail),
      products.copyInto(agent, () => products.bring(workspace(), fail)),
    ])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    await products.bring(first, install(first))
    expect(runs()).toBe(1)
    expect(await products.copyInto(agent, () => Promise.reject(new Error('not asked')))).not.toBeNull()
  })

  test('that another process makes are waited for', async () => {
    const { store, open, workspace, install, runs } = arrange()
    const [first, second] = [workspace(), workspace()]
    mkdirSync(join(store, 'checkout'), { recursive: true })
    const lock = await lockEntry(join(store, 'checkout', key))
    const waiting = open().bring(second, install(second))
    expect(runs()).toBe(0)
    await lock?.release()
    await waiting
    await open().bring(first, install(first))
    expect(runs()).toBe(1)
  })

  test('of a store that cannot be written are those of set-up in the workspace', async () => {
    const { store, open, workspace, install, runs } = arrange()
    writeFileSync(store, 'a file')
    const [first, second] = [workspace(), workspace()]
    for (const wanted of [first, second]) await open().bring(wanted, install(wanted))
    expect(runs()).toBe(2)
    expect(listing(second.path)).toEqual(listing(first.path))
  })
})

describe('the store', () => {
  /** Entries that no live process uses, the oldest first. */
  async function filled(count: number) {
    const arranged = arrange()
    const { store, open, workspace, install } = arranged
    for (let n = 1; n <= count; n++) {
      const wanted = { ...workspace(), key: keyOf(n) }
      await open().bring(wanted, install(wanted))
      const users = join(store, 'checkout', keyOf(n), 'users')
      for (const name of readdirSync(users)) rmSync(join(users, name))
      utimesSync(users, n, n)
    }
    return arranged
  }
  const keysIn = (store: string): string[] => readdirSync(join(store, 'checkout')).toSorted()

  test('drops the least recently used entries above its limits', async () => {
    const { store } = await filled(4)
    const each = listStore(store)[0]?.bytes ?? 0
    expect(each).toBeGreaterThan(0)
    await trimStore(store, { bytes: 1e9, entries: 3 })
    expect(keysIn(store)).toEqual([2, 3, 4].map(keyOf))
    await trimStore(store, { bytes: each, entries: 64 })
    expect(keysIn(store)).toEqual([keyOf(4)])
  })

  test('keeps entries that a live process uses or makes', async () => {
    const { store, open, workspace, install, runs } = await filled(3)
    const wanted = { ...workspace(), key: keyOf(1) }
    await open().bring(wanted, install(wanted))
    expect(runs()).toBe(3)
    const lock = await lockEntry(join(store, 'checkout', keyOf(2)))
    await trimStore(store, { bytes: 0, entries: 0 })
    expect(keysIn(store)).toEqual([keyOf(1), keyOf(2)])
    expect(await removeEntry(join(store, 'checkout', keyOf(2)))).toBe(false)
    await lock?.release()
    await trimStore(store, { bytes: 0, entries: 0 })
    expect(keysIn(store)).toEqual([keyOf(1)])
  })

  test('removes what a killed process left, and uses nothing of it', async () => {
    const { store, open, workspace, install, entry, runs } = arrange()
    const { write } = openRepository(join(store, 'checkout'))
    write(`${key}.making/files.tar`, 'half')
    write(`${key}.making/spares/abcdefabcdef/files/node_modules/a/index.js`, 'half')
    write(`${keyOf(2)}.making/entry.json`, '{}')
    write(`${keyOf(3)}.gone-abc/entry.json`, '{}')
    const [first, second] = [workspace(), workspace()]
    await open().bring(first, install(first))
    await open().bring(second, install(second))
    expect(runs()).toBe(1)
    expect(readFileSync(join(second.path, 'node_modules/a/index.js'), 'utf8')).toBe('a')
    expect(keysIn(store)).toEqual([key])
    expect(existsSync(join(entry, 'entry.json'))).toBe(true)
  })
})

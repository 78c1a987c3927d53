import {
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { changeSecretly, listing } from '../../../test/kit/verification.ts'
import { openRepository, temporaryFolder } from '../../../test/kit/repository.ts'
import { identitiesIn, type FileList } from '../setup/file-list.ts'
import { walk } from '../setup/setup-manifest.ts'
import { sourceOf } from './entry.ts'
import { listFiles } from './list-files.ts'
import { openProductStore, type ProductStore, type Wanted } from './product-store.ts'
import { sparesIn } from './spares.ts'
import { listStore } from './store-contents.ts'

const key = '1'.repeat(64)
const file = 'node_modules/a/index.js'

/** A store with an entry, made in a workspace that no agent enters. */
async function arrange(spares = 2, bytes = 1e9) {
  const home = temporaryFolder()
  const store = join(home, 'store')
  const open = (most = spares, signal?: AbortSignal): ProductStore =>
    openProductStore({ store, checkout: 'checkout', limits: { bytes, entries: 64 }, spares: most, signal })
  let made = 0
  const workspace = (): Wanted => {
    const path = join(home, `work${++made}`)
    openRepository(path).write('package.json', '{}')
    return { key, path, mark: 'test:setup:1' }
  }
  const agents = (): Wanted => ({ ...workspace(), aside: join(home, 'state') })
  const first = workspace()
  const maker = open()
  await maker.bring(first, async () => {
    const { write } = openRepository(first.path)
    write(file, 'a')
    write('node_modules/b c/ä b.js', 'b')
    symlinkSync('../a/index.js', join(first.path, 'node_modules/b c/link'))
  })
  const entry = join(store, 'checkout', key)
  const inodes = (): number[] => sparesIn(entry).map((spare) => lstatSync(join(spare, 'files', file)).ino)
  return { home, store, open, maker, workspace, agents, first, entry, inodes }
}

const inodeIn = ({ path }: Wanted): number => lstatSync(join(path, file)).ino
const never = (): Promise<never> => Promise.reject(new Error('not asked'))

const namesIn = (list: FileList | null | undefined): Record<string, string> => identitiesIn(list?.text ?? '')

async function nodeList(path: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for await (const [name, identity] of walk(path, ['node_modules'])) found[name] = identity
  return found
}

test('workspaces of agents get spares, each its own, and their files are listed as Node lists them', async () => {
  const { open, agents, first, inodes, home } = await arrange()
  const before = inodes()
  expect(before).toHaveLength(2)
  const [one, two] = [agents(), agents()]
  const lists = await Promise.all([one, two].map((wanted) => open(0).copyInto(wanted, never)))
  expect(new Set([inodeIn(one), inodeIn(two)])).toEqual(new Set(before))
  for (const [at, wanted] of [one, two].entries()) {
    expect(listing(wanted.path)).toEqual(listing(first.path))
    expect(namesIn(lists[at])).toEqual(await nodeList(wanted.path))
    expect(namesIn(await listFiles(wanted.path, ['node_modules'], 'test'))).toEqual(await nodeList(wanted.path))
  }
  expect(inodes()).toEqual([])
  expect(readdirSync(join(home, 'state'))).toEqual([])
})

test('a verification workspace gets no spare: what agents could have opened is copied for it', async () => {
  const { open, workspace, inodes } = await arrange()
  const before = inodes()
  const wanted = workspace()
  await open().bring(wanted, never)
  expect(before).not.toContain(inodeIn(wanted))
  expect(inodes()).toEqual(before)
})

const damages: [what: string, damage: (files: string) => void][] = [
  ['was changed, even if its times were reset', (files) => changeSecretly(join(files, file), 'b')],
  ['has a new file', (files) => writeFileSync(join(files, 'node_modules/a/more.js'), '')],
  ['lacks a file', (files) => rmSync(join(files, file))],
  ['lacks all files', (files) => rmSync(files, { recursive: true })],
  ['has no list', (files) => rmSync(join(files, '../list'))],
]
test.each(damages)('a spare that %s reaches no workspace', async (_, damage) => {
  const { open, agents, first, inodes, entry } = await arrange(1)
  for (const spare of sparesIn(entry)) damage(join(spare, 'files'))
  const wanted = agents()
  expect(namesIn(await open(0).copyInto(wanted, never))).toEqual(await nodeList(wanted.path))
  expect(listing(wanted.path)).toEqual(listing(first.path))
  expect(inodes()).toEqual([])
})

test('a spare that was proven ahead is used, and one that changed by then is not', async () => {
  const { open, agents, first, entry, inodes } = await arrange(2)
  const [changed = '', sound = ''] = sparesIn(entry)
  changeSecretly(join(changed, 'files', file), 'b')
  const expected = lstatSync(join(sound, 'files', file)).ino
  const products = open(0)
  await products.ensure(key, 'test', never)
  const wanted = agents()
  expect(namesIn(await products.copyInto(wanted, never))).toEqual(await nodeList(wanted.path))
  expect(inodeIn(wanted)).toBe(expected)
  expect(readFileSync(join(wanted.path, file), 'utf8')).toBe(readFileSync(join(first.path, file), 'utf8'))
  expect(inodes()).toEqual([])
})

test('a spare that the same process made is not listed again, and another process compares it', async () => {
  for (const isMaker of [true, false]) {
    const { open, maker, agents, entry, inodes } = await arrange(1)
    const [made] = inodes()
    const [spare = ''] = sparesIn(entry)
    // No other file gets the inode of an open file.
    const kept = openSync(join(spare, 'files', file), 'r')
    rmSync(join(spare, 'list'))
    const wanted = agents()
    const list = await (isMaker ? maker : open(0)).copyInto(wanted, never)
    await maker.close()
    expect(inodeIn(wanted) === made).toBe(isMaker)
    closeSync(kept)
    expect(namesIn(list)).toEqual(await nodeList(wanted.path))
  }
})

test('used spares are replaced, with one more, and those that a killed process left are removed', async () => {
  const { open, agents, entry, inodes } = await arrange(2)
  const left = join(entry, 'spares', 'abcdefabcdef.making')
  mkdirSync(left)
  const [wanted, next] = [agents(), agents()]
  const products = open()
  await products.copyInto(wanted, never)
  await expect.poll(() => inodes().length, { timeout: 20_000 }).toBe(3)
  await products.close()
  expect(inodes()).not.toContain(inodeIn(wanted))
  expect(readdirSync(join(entry, 'spares')).toSorted()).toEqual(
    sparesIn(entry)
      .map((path) => path.slice(-12))
      .toSorted(),
  )
  expect(namesIn(await open(0).copyInto(next, never))).toEqual(await nodeList(next.path))
})

test('when the store is closed, the spares for the next run are completed, unless it is aborted', async () => {
  for (const [isAborted, least, most] of [
    [false, 3, 4],
    [true, 0, 0],
  ] as const) {
    const { open, agents, inodes } = await arrange(3)
    const stop = new AbortController()
    const products = open(3, stop.signal)
    for (const wanted of [agents(), agents(), agents()]) await open(0).copyInto(wanted, never)
    if (isAborted) stop.abort()
    await products.copyInto(agents(), never)
    await products.close()
    expect(inodes().length).toBeGreaterThanOrEqual(least)
    expect(inodes().length).toBeLessThanOrEqual(most)
  }
})

test('no spare is made of an entry that was changed', async () => {
  const { open, agents, entry, inodes } = await arrange(1)
  const products = open()
  const stored = sourceOf(entry).endsWith('.tar') ? sourceOf(entry) : join(sourceOf(entry), file)
  changeSecretly(stored, readFileSync(stored, 'latin1').replace('a', 'b'))
  await products.copyInto(agents(), never)
  await expect.poll(() => readdirSync(join(entry, 'spares'))).toEqual([])
  await products.close()
  expect(inodes()).toEqual([])
})

test('spares count for the limit of the store, and an entry has no more than a quarter of it', async () => {
  const { store, first } = await arrange(3)
  const [entry] = listStore(store)
  const one = (entry?.bytes ?? 0) / 4
  expect(one).toBeGreaterThan(lstatSync(join(first.path, file)).size)
  expect((await arrange(3, one * 8)).inodes()).toHaveLength(2)
  expect((await arrange(3, one * 3)).inodes()).toHaveLength(0)
})

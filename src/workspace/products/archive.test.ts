import { chmodSync, existsSync, linkSync, lstatSync, mkdirSync, readlinkSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { listing } from '../../../test/kit/verification.ts'
import { openRepository, temporaryFolder } from '../../../test/kit/repository.ts'
import { archiveOf, packProducts, unpackProducts } from './archive.ts'

const mark = 'test:archive:1'

function arrange() {
  const home = temporaryFolder()
  const [from, entry, to] = ['from', 'entry', 'to'].map((name) => join(home, name)) as [string, string, string]
  for (const folder of [from, entry, to]) mkdirSync(folder)
  return { from, entry, to, write: openRepository(from).write }
}

test('an archive keeps modes, fractions of times, links and unusual names, and nothing but its roots', async () => {
  const { from, entry, to, write } = arrange()
  write('--checkpoint=1/a\nb/ä b.js', 'a')
  write('node_modules/tool', 'b')
  write('other', 'c')
  linkSync(join(from, 'node_modules/tool'), join(from, 'node_modules/same'))
  symlinkSync('../../outside', join(from, 'node_modules/link'))
  chmodSync(join(from, 'node_modules/tool'), 0o751)
  utimesSync(join(from, 'node_modules/tool'), 1_000.125, 1_000.125)
  utimesSync(join(from, 'node_modules'), 2_000, 2_000)
  expect(await packProducts(from, entry, ['--checkpoint=1', 'node_modules'], mark)).toBe(7)
  expect(await unpackProducts(archiveOf(entry), to, mark)).toBe(true)
  for (const root of ['--checkpoint=1', 'node_modules'])
    expect(listing(join(to, root))).toEqual(listing(join(from, root)))
  const tool = lstatSync(join(to, 'node_modules/tool'))
  expect([tool.mode & 0o777, tool.mtimeMs, tool.nlink]).toEqual([0o751, 1_000_125, 2])
  expect(lstatSync(join(to, 'node_modules')).mtimeMs).toBe(2_000_000)
  expect(readlinkSync(join(to, 'node_modules/link'))).toBe('../../outside')
  expect(existsSync(join(to, 'other'))).toBe(false)
})

test('an archive that could not be completed is removed, and one that is cut off is not unpacked', async () => {
  const { from, entry, to, write } = arrange()
  write('node_modules/a', 'a'.repeat(100_000))
  expect(await packProducts(from, entry, ['node_modules', 'missing'], mark)).toBeNull()
  expect(existsSync(archiveOf(entry))).toBe(false)
  openRepository(entry).write('files.tar', 'half')
  expect(await unpackProducts(archiveOf(entry), to, mark)).toBe(false)
})

test('options of the user leave nothing out', async () => {
  const { from, entry, to, write } = arrange()
  write('node_modules/a.map', 'a')
  vi.stubEnv('TAR_OPTIONS', '--exclude=*.map')
  expect(await packProducts(from, entry, ['node_modules'], mark)).toBe(2)
  expect(await unpackProducts(archiveOf(entry), to, mark)).toBe(true)
  vi.unstubAllEnvs()
  expect(existsSync(join(to, 'node_modules/a.map'))).toBe(true)
})

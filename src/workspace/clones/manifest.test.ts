import { readlinkSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/kit/repository.ts'
import { scan, settle } from './manifest.ts'
import { compare } from './pristine.ts'

const kinds: Record<string, (path: string, content: string) => void> = {
  file: (path, content) => writeFileSync(path, content),
  link: (path, content) => {
    rmSync(path, { force: true })
    symlinkSync(content, path)
  },
}

test.each(Object.keys(kinds))('a %s that changes within one tick of a coarse clock has changed', async (kind) => {
  const root = temporaryFolder()
  const path = join(root, 'a')
  kinds[kind]?.(path, 'one')
  const manifest = await scan(root)
  await settle(root, manifest)
  kinds[kind]?.(path, 'two')
  const found = await scan(root)
  // Simulates a file system whose clock has not advanced since.
  const { base = '', changedMs = 0 } = manifest.get('a') ?? {}
  Object.assign(found.get('a') ?? {}, { base, changedMs })
  expect((await compare(root, manifest, found)).changed).toEqual(['a'])
})

test('a recent file that is written and put back has changed', async () => {
  const root = temporaryFolder()
  const path = join(root, 'a')
  writeFileSync(path, 'one')
  utimesSync(path, 1, 1)
  const manifest = await scan(root)
  await settle(root, manifest)
  const { ctimeMs } = statSync(path)
  while (statSync(path).ctimeMs === ctimeMs) {
    writeFileSync(path, 'two')
    writeFileSync(path, 'one')
    utimesSync(path, 1, 1)
    await sleep(5)
  }
  expect((await compare(root, manifest, await scan(root))).changed).toEqual(['a'])
})

test('a link is not followed when it is read', async () => {
  const root = temporaryFolder()
  symlinkSync('/dev/zero', join(root, 'endless'))
  const manifest = await scan(root)
  await settle(root, manifest)
  expect((await compare(root, manifest, await scan(root))).changed).toEqual([])
  expect(readlinkSync(join(root, 'endless'))).toBe('/dev/zero')
})

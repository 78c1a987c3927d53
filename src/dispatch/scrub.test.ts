import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createMask } from '../agents/mask.ts'
import { bindMount, mayMount } from '../../test/kit/bind-mount.ts'
import { filesBelow, scrubFiles } from './scrub.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'looper-scrub-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const { secrets } = createMask({ A: 'geheim-wört', B: 'geheim-wört-lang', C: 'multi\nline secret' }, ['A', 'B', 'C'])
const file = (name: string, content: string | Buffer): string => {
  writeFileSync(join(folder, name), content, { mode: 0o600 })
  return join(folder, name)
}

test('every secret is replaced, every other byte stays', () => {
  const noise = Buffer.from([0xff, 0x00, 0xc3, 0x28])
  const path = file(
    'stream',
    Buffer.concat([
      noise,
      Buffer.from('x geheim-wört-lang, geheim-wört; multi\nline secret "multi\\nline secret"'),
      noise,
    ]),
  )
  scrubFiles([path], secrets)
  expect(readFileSync(path)).toEqual(Buffer.concat([noise, Buffer.from('x [B], [A]; [C] "[C]"'), noise]))
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('a secret across two blocks is found, wherever the cut falls', () => {
  const block = 1024 * 1024
  for (const before of [block - 1, block - 5, block - 11, block - 12, block, block - 17]) {
    const path = file('stream', `${'a'.repeat(before)}geheim-wört-lang${'b'.repeat(block)}geheim-wört`)
    scrubFiles([path], secrets)
    expect(readFileSync(path, 'utf8') === `${'a'.repeat(before)}[B]${'b'.repeat(block)}[A]`).toBe(true)
  }
})

test('a file that cannot be rewritten is not kept', () => {
  const path = file('stream', 'geheim-wört')
  mkdirSync(`${path}.scrubbed`)
  scrubFiles([path], secrets)
  expect(readdirSync(folder)).toEqual([])
})

test('a file without secrets is not rewritten; what is no file, or not there, is left alone', () => {
  const clean = file('clean', 'nothing here')
  const before = statSync(clean).ino
  const outside = file('outside', 'geheim-wört')
  symlinkSync(outside, join(folder, 'link'))
  mkdirSync(join(folder, 'folder'))
  scrubFiles([clean, join(folder, 'none'), join(folder, 'link'), join(folder, 'folder')], secrets)
  expect(statSync(clean).ino).toBe(before)
  expect(readFileSync(outside, 'utf8')).toBe('geheim-wört')
})

test('files in every folder are found, links are not followed, and a folder with too many files is removed', () => {
  mkdirSync(join(folder, 'a/b'), { recursive: true })
  mkdirSync(join(folder, 'many'))
  writeFileSync(join(folder, 'a/b/extra.txt'), '')
  symlinkSync(tmpdir(), join(folder, 'away'))
  for (let at = 0; at < 5_000; at++) writeFileSync(join(folder, 'many', String(at)), '')
  expect(filesBelow(folder)).toEqual(expect.arrayContaining([join(folder, 'a/b/extra.txt'), join(folder, 'away')]))
  expect(filesBelow(folder).filter((path) => !path.startsWith(join(folder, 'a/')))).toEqual([join(folder, 'away')])
  expect(existsSync(join(folder, 'many'))).toBe(false)
})

test.runIf(mayMount)("files of the user that the agent mounted in the folder are none of the turn's", () => {
  const precious = mkdtempSync(join(tmpdir(), 'looper-precious-'))
  writeFileSync(join(precious, 'a'), 'geheim-wört')
  bindMount(precious, join(folder, 'mounted'))
  scrubFiles(filesBelow(folder), secrets)
  expect(readFileSync(join(precious, 'a'), 'utf8')).toBe('geheim-wört')
  rmSync(precious, { recursive: true })
})

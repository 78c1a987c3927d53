import { execFileSync } from 'node:child_process'
import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { diskUsage } from './disk-usage.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'looper-usage-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('counts what the disk holds: as du does, links not followed, names of one file once, holes for nothing', () => {
  mkdirSync(join(folder, 'run/deep/deeper'), { recursive: true })
  mkdirSync(join(folder, 'elsewhere'))
  writeFileSync(join(folder, 'elsewhere/big'), Buffer.alloc(3_000_000))
  writeFileSync(join(folder, 'run/deep/deeper/a'), Buffer.alloc(100_000, 'x'))
  linkSync(join(folder, 'run/deep/deeper/a'), join(folder, 'run/b'))
  writeFileSync(join(folder, 'run/sparse'), 'x')
  truncateSync(join(folder, 'run/sparse'), 1e12)
  symlinkSync('../elsewhere', join(folder, 'run/link'))
  symlinkSync('.', join(folder, 'run/loop'))
  const used = diskUsage(join(folder, 'run'))
  expect(used).toBe(
    Number(execFileSync('du', ['-sk', join(folder, 'run')], { encoding: 'utf8' }).split('\t')[0]) * 1024,
  )
  expect(used).toBeLessThan(1_000_000)
  expect(diskUsage(join(folder, 'nothing'))).toBe(0)
})

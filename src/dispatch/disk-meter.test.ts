import {
  appendFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createDiskMeter, createGrowth, type TurnDisk } from './disk-meter.ts'

let dir: string
const open: TurnDisk[] = []
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'looper-disk-'))
  for (const name of ['turns/one', 'turns/two', 'work/deep']) mkdirSync(join(dir, name), { recursive: true })
})
afterEach(() => {
  for (const turn of open.splice(0)) turn.close()
  rmSync(dir, { recursive: true, force: true })
})

const megabyte = 1_000_000
const fill = (path: string, megabytes: number): void =>
  writeFileSync(join(dir, path), Buffer.alloc(megabytes * megabyte, 'x'))
const meter = (limit: number | null) =>
  createDiskMeter({
    turnsDir: join(dir, 'turns'),
    limitBytes: () => (limit === null ? null : limit * megabyte),
    firstWalkMs: 10,
  })
function measure(limit: number | null, name = 'one', of = meter(limit)): TurnDisk {
  const turn = of.measure({
    folder: join(dir, 'turns', name),
    cwd: join(dir, 'work'),
    startedAtMs: Date.now() - 60_000,
  })
  open.push(turn)
  return turn
}

describe('a run is over its disk limit', () => {
  test('by the output of a turn, at once', () => {
    const turn = measure(5)
    expect(turn.isOver(5 * megabyte - 100_000)).toBe(false)
    expect(turn.isOver(5 * megabyte + 1)).toBe(true)
  })

  test('by what grows in its workspace', async () => {
    const turn = measure(5)
    fill('work/deep/big', 6)
    await expect.poll(() => turn.isOver(0), { timeout: 120_000 }).toBe(true)
  })

  test('by what it writes and deletes again and again', async () => {
    const turn = measure(5)
    await expect
      .poll(
        () => {
          rmSync(join(dir, 'work/big'), { force: true })
          fill('work/big', 2)
          return turn.isOver(0)
        },
        { timeout: 120_000, interval: 50 },
      )
      .toBe(true)
  })

  test('by what grows in its folder', async () => {
    const turn = measure(5)
    fill('turns/one/result.json', 6)
    await expect.poll(() => turn.isOver(0), { timeout: 120_000 }).toBe(true)
  })

  test('by all its turns together, those of an earlier engine and ended ones included', async () => {
    fill('turns/two/stream', 3)
    const shared = meter(5)
    const first = measure(5, 'one', shared)
    expect(first.isOver(megabyte)).toBe(false)
    fill('turns/one/stream', 1)
    expect(await first.finish()).toBeNull()
    const next = measure(5, 'three', shared)
    expect(next.isOver(megabyte / 2)).toBe(false)
    expect(next.isOver(2 * megabyte)).toBe(true)
  })

  test('by what a turn left that ended before the first walk', async () => {
    const turn = createDiskMeter({ turnsDir: join(dir, 'turns'), limitBytes: () => 5 * megabyte }).measure({
      folder: join(dir, 'turns/one'),
      cwd: join(dir, 'work'),
      startedAtMs: 0,
    })
    fill('work/deep/big', 6)
    expect(turn.isOver(0)).toBe(false)
    expect(await turn.finish()).toBeGreaterThan(5 * megabyte)
  })

  test('and says by how much when the turn ends', async () => {
    fill('turns/one/stream', 6)
    expect(await measure(5).finish()).toBeGreaterThan(5 * megabyte)
    expect(await measure(null).finish()).toBeNull()
    expect(measure(null).isOver(1e12)).toBe(false)
  })
})

test('in place, the folders of turns lie in the workspace and count once', async () => {
  fill('turns/one/stream', 3)
  const turn = createDiskMeter({ turnsDir: join(dir, 'turns'), limitBytes: () => 5 * megabyte }).measure({
    folder: join(dir, 'turns/one'),
    cwd: dir,
    startedAtMs: Date.now() - 60_000,
  })
  expect(await turn.finish()).toBeNull()
})

describe('createGrowth', () => {
  const hourAgo = (): number => Date.now() - 3_600_000
  const work = (): string => join(dir, 'work')

  test('counts what changed since, also a file whose time was set back', async () => {
    fill('work/deep/big', 2)
    utimesSync(join(dir, 'work/deep/big'), 0, 0)
    expect(await createGrowth(work(), Date.now() - 60_000)()).toBeGreaterThanOrEqual(2 * megabyte)
    expect(await createGrowth(work(), Date.now() + 60_000)()).toBe(0)
  })

  test('follows no link, and a folder that is not there is empty', async () => {
    fill('turns/one/big', 2)
    symlinkSync(join(dir, 'turns/one'), join(dir, 'work/link'))
    expect(await createGrowth(work(), 0)()).toBeLessThan(megabyte)
    expect(await createGrowth(join(dir, 'missing'), 0)()).toBe(0)
  })

  test('keeps counting files that were removed', async () => {
    const growth = createGrowth(work(), hourAgo())
    for (let round = 1; round <= 3; round++) {
      fill('work/big', 2)
      expect(await growth()).toBeGreaterThanOrEqual(round * 2 * megabyte)
      rmSync(join(dir, 'work/big'))
      expect(await growth()).toBeLessThan((round * 2 + 1) * megabyte)
    }
  })

  test('counts a file once while it stays, whatever it is called, and by its growth', async () => {
    const growth = createGrowth(work(), hourAgo())
    fill('work/big', 2)
    await growth()
    renameSync(join(dir, 'work/big'), join(dir, 'work/deep/other'))
    linkSync(join(dir, 'work/deep/other'), join(dir, 'work/again'))
    expect(await growth()).toBeLessThan(2.5 * megabyte)
    appendFileSync(join(dir, 'work/again'), Buffer.alloc(megabyte, 'x'))
    expect(await growth()).toBeGreaterThanOrEqual(3 * megabyte)
    expect(await growth()).toBeLessThan(3.5 * megabyte)
  })
})

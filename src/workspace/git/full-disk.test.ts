import { onTestFinished, expect, test } from 'vitest'
import { createSmallDisk } from '../../../test/kit/small-disk.ts'
import { temporaryFolder } from '../../../test/kit/repository.ts'
import { LooperError, type ErrorCode } from '../../model/error.ts'
import { diskError, saysDiskFull } from './full-disk.ts'

test.each([
  ["fatal: sha1 file '.git/index.lock' write error. Out of diskspace", true],
  ["cp: error writing 'x': No space left on device", true],
  ['npm error code ENOSPC', true],
  ['error: Disk quota exceeded', true],
  ['fatal: unable to read tree', false],
])('%s', (text, expected) => expect(saysDiskFull(text)).toBe(expected))

const failure = (code: ErrorCode, output = ''): LooperError =>
  new LooperError(code, 'it failed', { details: { output } })

test("a disk with room: only git's own word counts, and a set-up command that speaks of it is no full disk", () => {
  const folder = temporaryFolder()
  for (const error of [failure('WORKSPACE_SETUP', 'ENOSPC'), failure('WORKSPACE_GIT'), new Error('other')]) {
    expect(diskError(error, folder)).toBe(error)
  }
  expect(diskError(failure('ENVIRONMENT_DISK_FULL'), folder)).toMatchObject({
    code: 'ENVIRONMENT_DISK_FULL',
    message: `No space left on the disk of ${folder}: it failed`,
    hint: 'Free some space there, then `looper resume`.',
  })
})

test('a full disk: errors of git and of set-up commands name the folder', async () => {
  const disk = await createSmallDisk()
  onTestFinished(() => disk.remove())
  const errors = [
    failure('WORKSPACE_SETUP', 'npm error ENOSPC'),
    failure('WORKSPACE_GIT'),
    failure('WORKSPACE_SETUP'),
    failure('WORKSPACE_CONTENT'),
  ]
  const codes = errors.map((error) => (diskError(error, `${disk.dir}/not/made/yet`) as LooperError).code)
  expect(codes).toEqual(
    disk.real
      ? ['ENVIRONMENT_DISK_FULL', 'ENVIRONMENT_DISK_FULL', 'WORKSPACE_SETUP', 'WORKSPACE_CONTENT']
      : ['WORKSPACE_SETUP', 'WORKSPACE_GIT', 'WORKSPACE_SETUP', 'WORKSPACE_CONTENT'],
  )
})

test('the full disk is named, also when the folder is on another one', async () => {
  const disk = await createSmallDisk()
  onTestFinished(() => disk.remove())
  const folder = temporaryFolder()
  const named = diskError(failure('ENVIRONMENT_DISK_FULL'), folder, disk.dir) as LooperError
  expect(named.message).toBe(`No space left on the disk of ${disk.real ? disk.dir : folder}: it failed`)
  expect(diskError(named, folder, disk.dir)).toBe(named)
  const git = diskError(failure('WORKSPACE_GIT'), folder, disk.dir) as LooperError
  expect(git.code).toBe(disk.real ? 'ENVIRONMENT_DISK_FULL' : 'WORKSPACE_GIT')
})

import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bindMount, mayMount } from '../../test/kit/bind-mount.ts'
import { temporaryFolder } from '../../test/kit/repository.ts'
import { removeFrom } from '../workspace/clones/pristine.ts'
import { removeTree } from '../workspace/clones/remove-tree.ts'
import { mountPointsIn, mountsBelow, removeNow, unmountBelow } from './mounts.ts'
import { makePrivateFolders } from './private-folders.ts'

const mountinfo = String.raw`22 1 254:0 / / rw,relatime - ext4 /dev/vda rw
23 22 0:21 / /proc rw shared:2 - proc proc rw
40 22 254:0 /home/a /w/v1/gen rw - ext4 /dev/vda rw
41 40 254:0 /home/b /w/v1/gen/inner rw - ext4 /dev/vda rw
42 22 254:0 /home/c /w/v10/gen rw - ext4 /dev/vda rw
43 22 0:50 / /w/v2/a\040name\134x rw - tmpfs none rw
44 22 0:51 / /w/v2 rw - tmpfs none rw
`

test.each([
  ['/w/v1', ['/w/v1/gen/inner', '/w/v1/gen']],
  ['/w/v1/gen', ['/w/v1/gen/inner', '/w/v1/gen']],
  ['/w/v1/ge', []],
  ['/w/v2', ['/w/v2', String.raw`/w/v2/a name\x`]],
  ['/home/a', []],
])('mounts at and below %s, the last one first', (path, expected) => {
  expect(mountPointsIn(mountinfo, path)).toEqual(expected)
})

test('a folder without mounts is left as it is', () => {
  const folder = temporaryFolder()
  unmountBelow(folder)
  expect(mountsBelow(folder)).toEqual([])
  expect(() => removeNow(join(folder, 'none'))).not.toThrow()
})

describe.skipIf(!mayMount)('files in a mounted folder stay', () => {
  const setUp = () => {
    const folder = temporaryFolder()
    const [precious, work] = [join(folder, 'precious'), join(folder, 'work')]
    for (const each of [join(precious, 'album'), work]) mkdirSync(each, { recursive: true })
    writeFileSync(join(precious, 'album', 'photo'), 'x')
    return { folder, work, precious, isWhole: () => existsSync(join(precious, 'album', 'photo')) }
  }
  const ways: [name: string, remove: (work: string) => unknown][] = [
    ['removeNow', removeNow],
    ['removeTree', removeTree],
    ['removeFrom', (work) => removeFrom(work, 'gen')],
  ]

  test.each(ways)('%s', async (_, remove) => {
    const { work, precious, isWhole } = setUp()
    bindMount(precious, join(work, 'gen', 'm'))
    bindMount(precious, join(work, 'gen', 'm', 'album'))
    bindMount(precious, join(work, 'gen', 'a name'))
    await remove(work)
    expect({ whole: isWhole(), left: existsSync(join(work, 'gen')) }).toEqual({ whole: true, left: false })
  })

  test.each(ways)('%s, mounted on the folder itself and reached by a link', async (_, remove) => {
    const { folder, work, precious, isWhole } = setUp()
    symlinkSync(folder, join(folder, 'link'))
    bindMount(precious, work)
    await remove(join(folder, 'link', 'work'))
    expect(isWhole()).toBe(true)
  })

  test('a private folder', async () => {
    const { precious, isWhole } = setUp()
    const { tmp, remove } = makePrivateFolders({ key: `mounts${process.pid}`, env: {}, home: false })
    bindMount(precious, join(tmp, 'm'))
    await remove()
    expect({ whole: isWhole(), left: existsSync(tmp) }).toEqual({ whole: true, left: false })
  })

  test('a folder stays when it cannot be unmounted', async () => {
    const { work, precious, isWhole } = setUp()
    bindMount(precious, join(work, 'm'))
    const path = process.env['PATH']
    process.env['PATH'] = work
    try {
      await expect(removeTree(work)).rejects.toThrow(`a file system is mounted on ${join(work, 'm')}`)
      expect(() => removeNow(work)).toThrow('a file system is mounted')
    } finally {
      process.env['PATH'] = path
    }
    expect([isWhole(), readdirSync(join(work, 'm'))]).toEqual([true, ['album']])
  })
})

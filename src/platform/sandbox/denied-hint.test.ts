import { homedir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { deniedHint } from './denied-hint.ts'

const home = homedir()
const file = join(home, '.looper-no-such-folder/state.json')
const cwd = '/work/space'

test.each([
  `Error: EROFS: read-only file system, open '${file}'`,
  `Error: EPERM: operation not permitted, mkdir '${file}'`,
  `npm error code EACCES ${file}`,
  `touch: cannot touch '${file}': Read-only file system`,
  `sh: 1: cannot create ${file}: Read-only file system`,
  `OSError: [Errno 30] Read-only file system: '${file}'`,
  `PermissionError: [Errno 13] Permission denied: '${file}'`,
  `open ${file}: read-only file system`,
  `first\nmkdir ${file}: permission denied\nlast`,
])('%j names the setting', (output) => {
  expect(deniedHint(output, cwd)).toBe(
    `[looper] "sandboxAllow" in .looper/config.json lets this write to ${file}, which the sandbox denies.`,
  )
})

test.each([
  'all good',
  `ENOENT: no such file or directory, open '${file}'`,
  `${file}\npermission denied`,
  'permission denied',
  `EACCES: permission denied, open '${cwd}/a'`,
  'cannot create /proc/a: Read-only file system',
])('%j says nothing', (output) => expect(deniedHint(output, cwd)).toBeNull())

test.skipIf(process.getuid?.() === 0)('a path that the user cannot write either is not denied by the sandbox', () => {
  expect(deniedHint('open /etc/shadow: permission denied', cwd)).toBeNull()
})

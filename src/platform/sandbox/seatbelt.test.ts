import { describe, expect, test } from 'vitest'
import { orderRules } from './rules.ts'
import { seatbeltArgv, seatbeltProfile } from './seatbelt.ts'

const rules = orderRules([
  { path: '/private/tmp', access: 'private', kind: 'folder' },
  { path: '/Users/u/p', access: 'hide', kind: 'folder' },
  { path: '/Users/u/p/.looper/w/1', access: 'write', kind: 'folder' },
  { path: '/Users/u/p/.looper/w/1/.git/config', access: 'read', kind: 'file' },
  { path: '/Users/u/say "hi"\\', access: 'hide', kind: 'file' },
])

describe('the profile of sandbox-exec', () => {
  test('denies writing except where a rule allows it', () => {
    expect(seatbeltProfile(rules)).toBe(`(version 1)
(allow default)
(deny file-write*)
(allow file-write* (subpath "/dev"))
(deny signal)
(allow signal (target same-sandbox))
(deny file-read* file-write* network-outbound (subpath "/Users/u/p"))
(deny file-read* file-write* network-outbound (literal "/Users/u/say \\"hi\\"\\\\"))
(allow file-read* file-write* network-outbound (subpath "/Users/u/p/.looper/w/1"))
(allow file-read* file-write* network-outbound (subpath "/Users/u/p/.looper/w/1/.git"))
(allow file-read* (literal "/Users/u/p/.looper/w/1/.git/config"))
(deny file-write* (literal "/Users/u/p/.looper/w/1/.git/config"))
(allow file-read-metadata (literal "/Users/u/p"))
(allow file-read-metadata (literal "/Users/u/p/.looper"))
(allow file-read-metadata (literal "/Users/u/p/.looper/w"))
`)
  })

  test('stands before the command line', () => {
    expect(
      seatbeltArgv('/usr/bin/sandbox-exec', { argv: ['agent', '-x'], cwd: '/w', rules: [], isRoot: false }),
    ).toEqual(['/usr/bin/sandbox-exec', '-p', seatbeltProfile([]), 'agent', '-x'])
  })
})

import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { endRun } from './end-run.ts'
import { markOf } from './mark.ts'
import { removePrivateFolders } from './private-folders.ts'
import { runApart } from './run-apart.ts'
import { findMarked } from './sweep.ts'

let cwd: string
let key: string
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'looper-apart-')))
  key = `test-${Math.random().toString(36).slice(2)}`
})
afterEach(async () => {
  await endRun(key, { graceMs: 0 })
  await removePrivateFolders(key)
  rmSync(cwd, { recursive: true, force: true })
})

const run = (shell: string): ReturnType<typeof runApart> =>
  runApart({
    argv: ['/bin/sh', '-c', shell],
    cwd,
    env: { ...process.env, HOME: cwd },
    mark: markOf(key, 'check', 1),
    tagged: true,
    ownHome: true,
  })

/** Creates the folders again for as long as it lives, and ignores SIGTERM. */
const stray = `trap '' TERM; while :; do mkdir -p "$HOME/again" "$TMPDIR/again"; : > "$up"; sleep 0.01; done`

test.each([
  ['has the mark', 'setsid sh -c'],
  ['has dropped the mark', 'setsid env -u LOOPER_MARK sh -c'],
])('a process that a command leaves and that %s ends before the folders are removed', async (_, start) => {
  const up = join(cwd, 'up')
  const { exitCode } = await run(`up=${up}; export up
${start} '${stray.replaceAll("'", `'\\''`)}' > /dev/null 2>&1 &
while [ ! -e ${up} ]; do sleep 0.01; done
printf '%s' "$HOME" > home`)
  expect(exitCode).toBe(0)
  expect(findMarked(`${key}:`)).toEqual([])
  expect(readFileSync(join(cwd, 'home'), 'utf8')).toContain(`looper-${key}-1/home`)
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith(`looper-${key}-`))).toEqual([])
})

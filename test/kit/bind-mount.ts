/** Bind mounts for tests, where this user may mount. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { mountsBelow } from '../../src/platform/mounts.ts'

function tryMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'looper-mount-'))
  const isMounted = spawnSync('mount', ['--bind', folder, folder], { stdio: 'ignore' }).status === 0
  if (isMounted) execFileSync('umount', [folder])
  rmSync(folder, { recursive: true })
  return isMounted
}

export const mayMount = process.platform === 'linux' && process.getuid?.() === 0 && tryMount()

/** Mounts `from` on the new folder `to` until the test ends. */
export function bindMount(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  execFileSync('mount', ['--bind', from, to])
  onTestFinished(() => unmountAll(to))
}

export function unmountAll(folder: string): void {
  for (const point of mountsBelow(folder)) spawnSync('umount', ['-l', point], { stdio: 'ignore' })
}

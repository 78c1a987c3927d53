/**
 * A disk that is soon full, for the tests of this folder: a real one where it may be mounted, else a file layer that
 * refuses.
 */
import { execFileSync } from 'node:child_process'
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OpenFile } from '../../src/journal/file-journal.ts'

export interface SmallDisk {
  dir: string
  /** False when only `openFile` knows that the disk is full. */
  real: boolean
  openFile: OpenFile
  /** Leaves no room for anything. */
  fill(): Promise<void>
  free(): Promise<void>
  remove(): Promise<void>
}

export async function createSmallDisk(): Promise<SmallDisk> {
  const dir = await mkdtemp(join(tmpdir(), 'looper-disk-'))
  const ballast = join(dir, 'ballast')
  if (!mount(dir)) return { dir, real: false, ...refusingLayer(), remove: () => rm(dir, { recursive: true }) }
  return {
    dir,
    real: true,
    openFile: open,
    fill: () => writeFile(ballast, Buffer.alloc(1024 * 1024)).catch(() => {}),
    free: () => rm(ballast),
    async remove() {
      execFileSync('/bin/umount', [dir])
      await rm(dir, { recursive: true })
    },
  }
}

function mount(dir: string): boolean {
  try {
    execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', 'size=64k', 'looper-test', dir], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Like a full disk, it still takes the first part of what is written. */
function refusingLayer(): Pick<SmallDisk, 'openFile' | 'fill' | 'free'> {
  let full = false
  return {
    async openFile(path, flags, mode) {
      const file = await open(path, flags, mode)
      return {
        async write(data, offset) {
          if (!full) return file.write(data, offset)
          if (offset > 0) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
          return file.write(data, 0, Math.ceil(data.length / 2))
        },
        datasync: () => file.datasync(),
        truncate: (size) => file.truncate(size),
        stat: () => file.stat(),
        close: () => file.close(),
      }
    },
    async fill() {
      full = true
    },
    async free() {
      full = false
    },
  }
}

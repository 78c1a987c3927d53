/**
 * Products as one archive. Where files cannot share their blocks, `tar` copies in two thirds of the time of `cp`, and
 * one file is compared instead of thousands.
 */
import { constants, copyFileSync, lstatSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runProcess } from '../../platform/run-process.ts'

export const archiveOf = (folder: string): string => join(folder, 'files.tar')

export const isArchive = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isFile() === true

/** Exact times, and none that change when a file is read. */
const format = ['--format=posix', '--pax-option=delete=atime,delete=ctime', '--numeric-owner']

/** Options of the user could leave files out. */
const environment = (): NodeJS.ProcessEnv => ({ ...process.env, LC_ALL: 'C', TAR_OPTIONS: '' })

const mostBytes = 512 * 1024 * 1024

/**
 * Packs the folders `roots` of `from` into the archive of `folder`: how many files, links and folders it has. Null when
 * that failed: there is no archive then.
 */
export async function packProducts(
  from: string,
  folder: string,
  roots: readonly string[],
  mark: string,
): Promise<number | null> {
  const archive = archiveOf(folder)
  // A line for each of them.
  const argv: [string, ...string[]] = ['tar', '-c', '-v', ...format, '-f', archive, '-C', from, '--null', '-T', '-']
  const input = roots.map((root) => `./${root}\0`).join('')
  const env = environment()
  const packed = await runProcess({ argv, cwd: '/', env, mark, input, keepBytes: mostBytes, encoding: 'latin1' })
  if (packed.exitCode === 0) return packed.stdout.split('\n').length - 1
  rmSync(archive, { force: true })
  return null
}

/** Modes, times and links are kept. False when the copy is incomplete. */
export async function unpackProducts(archive: string, to: string, mark: string): Promise<boolean> {
  const argv: [string, ...string[]] = ['tar', '-x', '-p', '--numeric-owner', '-f', archive, '-C', to]
  return (await runProcess({ argv, cwd: '/', env: environment(), mark, keepBytes: 4_096 })).exitCode === 0
}

/** Whether the file system of the folder can clone files: copies need neither time nor space then. */
export function clonesFiles(folder: string): boolean {
  const [probe, clone] = [join(folder, 'probe'), join(folder, 'probe.clone')]
  try {
    writeFileSync(probe, 'x'.repeat(8_192))
    copyFileSync(probe, clone, constants.COPYFILE_FICLONE_FORCE)
    return true
  } catch {
    return false
  } finally {
    for (const file of [probe, clone]) rmSync(file, { force: true })
  }
}

/** Keys of set-up: when the commands that install the dependencies of a work tree have to run again. */
import { createHash } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { readNow } from '../../platform/files.ts'
import type { PackageFiles } from './package-files.ts'

const pathWord = /[\w@%+:,./-]+/g

export const isInside = (path: string): boolean => !path.startsWith('/') && !path.split('/').includes('..')

/**
 * Equal keys mean that running set-up again would change nothing, as far as the commands read only what they are known
 * to read: `files`, the tracked manifests and lock files, and the files that the commands name.
 */
export function setupInputsKey(root: string, files: PackageFiles, setup: readonly string[]): string {
  const named = setup.flatMap((line) => line.match(pathWord) ?? []).filter(isInside)
  const hash = createHash('sha256').update(JSON.stringify(setup))
  if (setup.length > 0) {
    hash.update(JSON.stringify([...files]))
    for (const file of new Set(named)) hash.update(`\0${file}\0`).update(readFileOf(root, file) ?? '')
  }
  return hash.digest('hex')
}

/** Null when the path is a folder, a link, or does not exist. */
export function readFileOf(root: string, file: string): Buffer | null {
  const path = join(root, file)
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ? readNow(path) : null
}

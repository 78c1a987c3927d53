/**
 * Opens files that lie where an agent can write: what it may have planted there, a link, a pipe or a folder, is never
 * opened.
 */
import { closeSync, constants, fstatSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs'
import { errnoOf } from './files.ts'

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR } = constants

/**
 * A pipe opened for both keeps nobody waiting, so what is appended to needs no O_NONBLOCK, which agents would inherit.
 */
const flags = { read: O_RDONLY | O_NOFOLLOW | O_NONBLOCK, append: O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW }

/** Never waits. `append` creates the file, for nobody else to read. Throws when it is anything but a plain file. */
export function openPlainFile(path: string, access: keyof typeof flags): number {
  const file = openSync(path, flags[access], 0o600)
  if (fstatSync(file).isFile()) return file
  closeSync(file)
  throw new Error(`${path} is not a plain file`)
}

/** A new file in the place of whatever is there, for nobody else to read. */
export function writePlainFile(path: string, content: string | Uint8Array): void {
  try {
    writeFileSync(path, content, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error
    rmSync(path, { recursive: true, force: true })
    writeFileSync(path, content, { mode: 0o600, flag: 'wx' })
  }
}

type Part = 'beginning' | 'end'

/** Its beginning or its end; null when there is no such plain file, or it cannot be read. */
export const readPlainFile = (path: string, maxBytes: number, part: Part = 'beginning'): string | null =>
  readPlainBytes(path, maxBytes, part)?.toString() ?? null

/** The same, without the time that making a text of it takes. */
export function readPlainBytes(path: string, maxBytes: number, part: Part = 'beginning'): Buffer | null {
  let file: number | undefined
  try {
    file = openPlainFile(path, 'read')
    const { size } = fstatSync(file)
    const bytes = Buffer.allocUnsafe(Math.min(size, maxBytes))
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, part === 'end' ? size - bytes.length : 0))
  } catch {
    return null
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

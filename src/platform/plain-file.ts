/**
 * Opens files in folders that an agent can write to. It never opens a link, a pipe or a folder that the agent may have
 * planted there.
 */
import { closeSync, constants, fstatSync, openSync, readSync, writeFileSync } from 'node:fs'
import { errnoOf } from './files.ts'
import { removeNow } from './mounts.ts'

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR } = constants

/** Opening a pipe with O_RDWR does not block, so `append` needs no O_NONBLOCK, which agents would inherit. */
const flags = { read: O_RDONLY | O_NOFOLLOW | O_NONBLOCK, append: O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW }

/** Never blocks. `append` creates the file with access for this user only. Throws when the path is not a plain file. */
export function openPlainFile(path: string | Buffer, access: keyof typeof flags): number {
  const file = openSync(path, flags[access], 0o600)
  if (fstatSync(file).isFile()) return file
  closeSync(file)
  throw new Error(`${path.toString()} is not a plain file`)
}

/** Replaces whatever is at the path with a new file that only this user can read. */
export function writePlainFile(path: string, content: string | Uint8Array): void {
  try {
    writeFileSync(path, content, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error
    removeNow(path)
    writeFileSync(path, content, { mode: 0o600, flag: 'wx' })
  }
}

type Part = 'beginning' | 'end'

/** Reads the beginning or the end of the file; null when it is no plain file or cannot be read. */
export const readPlainFile = (path: string, maxBytes: number, part: Part = 'beginning'): string | null =>
  readPlainBytes(path, maxBytes, part)?.toString() ?? null

/** Like `readPlainFile`, without the cost of decoding. */
export function readPlainBytes(path: string | Buffer, maxBytes: number, part: Part = 'beginning'): Buffer | null {
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

/** A digest of the beginning of a journal. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'

export async function digestOf(path: string, bytes: number): Promise<string> {
  const hash = createHash('sha256')
  if (bytes > 0) await pipeline(createReadStream(path, { end: bytes - 1 }), hash)
  return hash.digest('hex')
}

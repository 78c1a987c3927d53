/**
 * Reads and writes git's loose objects without a process, because starting git takes twenty times as long. This is only
 * an optimization: null means that the caller must ask git, which also handles packs and alternates.
 */
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync, inflateSync } from 'node:zlib'

export interface LooseObjects {
  has(id: string): boolean
  /** The content of an object of this type; null when it is longer than `maxBytes`, missing or not loose. */
  read(type: ObjectType, id: string, maxBytes: number): Buffer | null
  /** Returns the id. `like` is an id of the same repository; its length determines the hash function. */
  write(type: ObjectType, content: string | Buffer, like: string): string | null
}

type ObjectType = 'blob' | 'commit' | 'tag' | 'tree'

/** Larger objects are left to git. */
const mostBytes = 1024 * 1024

/** `folder` is the `objects` folder of the repository. */
export function openLooseObjects(folder: string): LooseObjects {
  const fileOf = (id: string): string => join(folder, id.slice(0, 2), id.slice(2))
  return {
    has: (id) => existsSync(fileOf(id)),

    read(type, id, maxBytes) {
      try {
        const file = fileOf(id)
        if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return null
        const whole = inflateSync(readFileSync(file), { maxOutputLength: Math.min(maxBytes, mostBytes) + 32 })
        const end = whole.indexOf(0)
        const isWhole = whole.subarray(0, end).toString() === `${type} ${whole.length - end - 1}`
        const fits = whole.length - end - 1 <= maxBytes
        return isWhole && fits && nameOf(whole, id) === id ? whole.subarray(end + 1) : null
      } catch {
        return null
      }
    },

    write(type, content, like) {
      const body = typeof content === 'string' ? Buffer.from(content) : content
      const whole = Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body])
      const id = nameOf(whole, like)
      const file = fileOf(id)
      if (freshen(file)) return id
      const draft = join(folder, id.slice(0, 2), `tmp_obj_${randomBytes(6).toString('hex')}`)
      try {
        mkdirSync(join(folder, id.slice(0, 2)), { recursive: true })
        writeFileSync(draft, deflateSync(whole), { flag: 'wx', mode: 0o444 })
        renameSync(draft, file)
        return id
      } catch {
        removeDraft(draft)
        return null
      }
    },
  }
}

/**
 * Updates the time of an existing object, as git does: a concurrent `git gc --prune` removes old objects that no ref
 * reaches yet. False when the object does not exist or cannot be updated; then it must be written again.
 */
function freshen(file: string): boolean {
  if (!existsSync(file)) return false
  const now = new Date()
  try {
    utimesSync(file, now, now)
    return true
  } catch {
    return false
  }
}

/** Git itself removes leftover files with such names later. */
function removeDraft(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch {
    // The file stays when the folder's permissions prevent its removal.
  }
}

const nameOf = (whole: Buffer, like: string): string =>
  createHash(like.length === 64 ? 'sha256' : 'sha1')
    .update(whole)
    .digest('hex')

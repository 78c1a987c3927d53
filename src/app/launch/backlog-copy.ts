/**
 * The copy of the backlog in the workspace of a pass. The backlog itself is the user's file and is in no worktree.
 * Edits of the copy are merged into it task by task.
 */
import { isUtf8 } from 'node:buffer'
import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readPlainBytes, writePlainFile } from '../../platform/plain-file.ts'
import { inTheWay } from '../../platform/real-folder.ts'
import { readBacklog, stillThere, type Read } from '../../sources/todo-file/read-file.ts'
import { replaceFile, untilWritten } from '../../sources/todo-file/replace-file.ts'
import { takeOver } from '../../sources/todo-file/take-over.ts'

const mostBytes = 100 * 1024 * 1024

export interface BacklogCopy {
  /** Writes the copy; nothing in the user's own checkout. Throws when a link is in the way. */
  give(cwd: string): void
  /** Merges the agent's edits of the copy into the backlog. */
  take(cwd: string): Promise<void>
  /** From now on, there is no copy. */
  forget(): void
}

export interface BacklogCopyOptions {
  root: string
  /** The folder of the run. */
  dir: string
  /** The backlog file, relative to the root. */
  backlog: string
  mask: (text: string) => string
}

export function createBacklogCopy({ root, dir, backlog, mask }: BacklogCopyOptions): BacklogCopy {
  /**
   * The backlog as the current pass received it. On disk, so that a process that resumes the run can distinguish the
   * agent's edits from all others.
   */
  const given = join(dir, 'loop', 'given-backlog')
  /** The same in memory, for the process that wrote it. */
  let handed: Buffer | null = null
  const file = join(root, backlog)
  let known: { read: Read; bytes: Buffer } | null = null

  /** The current file. Reads and encodes a large file again only when it has changed. */
  const readCurrent = (): typeof known => {
    const read = (known && stillThere(file, known.read)) ?? readBacklog(file, backlog)
    return read && { read, bytes: read.source === known?.read.source ? known.bytes : Buffer.from(read.source) }
  }
  /**
   * Throws when the path to the copy contains a link. The link belongs to the project and stays, and the file behind it
   * must not be overwritten.
   */
  const refuseLink = (cwd: string): void => {
    const found = inTheWay(cwd, dirname(backlog))
    if (found !== null) throw new Error(`${found} is not a folder there`)
  }

  return {
    give(cwd) {
      known = cwd === root ? null : readCurrent()
      if (known === null) return
      refuseLink(cwd)
      for (const path of [given, join(cwd, backlog)]) {
        mkdirSync(dirname(path), { recursive: true })
        writePlainFile(path, known.bytes)
      }
      handed = known.bytes
    },
    async take(cwd) {
      const before = handed ?? readPlainBytes(given, mostBytes)
      // Without a backlog to compare with, the file in the workspace is not a copy and may be large, so it is not read.
      const copy = before && readPlainBytes(join(cwd, backlog), mostBytes)
      if (before === null || copy === null || copy.equals(before)) return
      if (!isUtf8(copy)) throw new Error('it is not UTF-8 text any more')
      const was = before.toString()
      // Masks the agent's copy, so that it adds no secret. Not when the user's own file contains a secret, which must
      // stay.
      const left = mask(was) === was ? mask(copy.toString()) : copy.toString()
      await untilWritten(backlog, async () => {
        const current = readBacklog(file, backlog)
        const text = current === null ? null : takeOver(was, left, current.source, backlog)
        return text === null || (await replaceFile(file, text, current)) !== null ? true : null
      })
    },
    forget() {
      handed = null
      rmSync(given, { force: true })
    },
  }
}

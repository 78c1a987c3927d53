/**
 * The files of a pass in its workspace: the progress so far, a file for its output to later stages, and a copy of the
 * backlog. The backlog itself is the user's file and is in no worktree. Edits of the copy are merged into it task by
 * task.
 */
import { isUtf8 } from 'node:buffer'
import { mkdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { loopFiles } from '../../context/loop-prompt.ts'
import { messageOf } from '../../model/error.ts'
import type { RunState } from '../../model/state.ts'
import type { TurnOutcome } from '../../model/work.ts'
import { removeNow } from '../../platform/mounts.ts'
import { readPlainBytes, readPlainFile, writePlainFile } from '../../platform/plain-file.ts'
import { inTheWay, makeRealFolder } from '../../platform/real-folder.ts'
import { readBacklog, stillThere, type Read } from '../../sources/todo-file/read-file.ts'
import { replaceFile, untilWritten } from '../../sources/todo-file/replace-file.ts'
import { takeOver } from '../../sources/todo-file/take-over.ts'
import { beginningOf } from '../../views/pipelines/inputs.ts'
import { loopProgress, writtenInto } from '../../views/pipelines/loop-progress.ts'
import { forgetWhole, keepWhole } from './whole-output.ts'

/** The most that an agent may add to the progress file. */
const mostNoteBytes = 64_000
const mostBytes = 100 * 1024 * 1024

export interface PassFiles {
  /** Writes the files into the workspace of the next pass. */
  lay(cwd: string, state: RunState): void
  /** Returns what the agent wrote into them, and takes its edits of the backlog over. */
  read(cwd: string, state: RunState): Promise<NonNullable<TurnOutcome['left']>>
}

export interface PassFilesOptions {
  root: string
  /** The folder of the run. */
  dir: string
  /** The backlog file, relative to the root. */
  backlog: string
  mask: (text: string) => string
  onTrouble(message: string): void
}

export function createPassFiles({ root, dir, backlog, mask, onTrouble }: PassFilesOptions): PassFiles {
  /**
   * The backlog as the current pass received it. On disk, so that a process that resumes the run can distinguish the
   * agent's edits from all others.
   */
  const given = join(dir, 'loop', 'given-backlog')
  /** The same in memory, for the process that wrote it. */
  let handed: Buffer | null = null
  const file = join(root, backlog)
  let known: { read: Read; bytes: Buffer } | null = null
  const trouble = (what: string, error: unknown): void => onTrouble(`${what}: ${messageOf(error)}`)

  /**
   * A trusted base folder, and the path from there that must be free of links. In the user's checkout `.looper` belongs
   * to the user and may be a link.
   */
  const loopFolder = (cwd: string): [base: string, path: string] => {
    const path = dirname(loopFiles.progress)
    return cwd === root ? [join(cwd, dirname(path)), basename(path)] : [cwd, path]
  }
  const giveBacklog = (cwd: string): void => {
    known = cwd === root ? null : readCurrent()
    if (known === null) return
    refuseLink(cwd)
    for (const path of [given, join(cwd, backlog)]) {
      mkdirSync(dirname(path), { recursive: true })
      writePlainFile(path, known.bytes)
    }
    handed = known.bytes
  }
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
  const takeBacklog = async (cwd: string): Promise<void> => {
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
  }
  const forget = (): void => {
    handed = null
    rmSync(given, { force: true })
  }
  const notesIn = (cwd: string, state: RunState): Awaited<ReturnType<PassFiles['read']>> => {
    if (inTheWay(...loopFolder(cwd)) !== null) return { progress: null, output: null }
    const laid = loopProgress(state)
    const progress = writtenInto(
      laid,
      readPlainFile(join(cwd, loopFiles.progress), Buffer.byteLength(laid) + mostNoteBytes),
    )
    return { progress: progress === null ? null : mask(progress), output: outputIn(cwd) }
  }
  /**
   * Returns the beginning of a long output for the journal. The whole output is kept in a file until it is moved to the
   * run's records.
   */
  const outputIn = (cwd: string): string | null => {
    const output = readPlainFile(join(cwd, loopFiles.output), mostBytes)
    if (output === null || output.trim() === '') return null
    if (Buffer.byteLength(output) >= mostBytes)
      onTrouble('only the first 100 MB of the output for later stages are kept')
    const whole = mask(output)
    const beginning = beginningOf(whole)
    if (beginning === whole) return whole
    try {
      keepWhole(dir, whole)
    } catch (error) {
      trouble('only the beginning of the output for later stages is kept', error)
    }
    return beginning
  }

  return {
    lay(cwd, state) {
      makeRealFolder(...loopFolder(cwd))
      writePlainFile(join(cwd, loopFiles.progress), loopProgress(state))
      removeNow(join(cwd, loopFiles.output))
      forget()
      forgetWhole(dir)
      // In a stage that works through tasks, the run itself maintains the backlog.
      if (state.pipeline?.stages[state.loop?.stage ?? 0]?.completion.kind === 'tasks-empty') return
      try {
        giveBacklog(cwd)
      } catch (error) {
        trouble(`the agent received no copy of ${backlog}`, error)
      }
    },
    async read(cwd, state) {
      const notes = notesIn(cwd, state)
      try {
        await takeBacklog(cwd)
      } catch (error) {
        trouble(`the agent's changes of ${backlog} could not be merged`, error)
      }
      forget()
      return notes
    },
  }
}

/**
 * The files that a pass of a loop finds in its workspace: what was done before it, a place for what it gives to later
 * stages, and a copy of the backlog, which is the user's file and in no worktree. What it does to that copy is brought
 * into the file by task.
 */
import { isUtf8 } from 'node:buffer'
import { mkdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { loopFiles } from '../context/loop-prompt.ts'
import type { Notebook } from '../engine/engine.ts'
import type { RunState } from '../model/state.ts'
import { readPlainBytes, readPlainFile, writePlainFile } from '../platform/plain-file.ts'
import { inTheWay, makeRealFolder } from '../platform/real-folder.ts'
import { readBacklog, stillThere, type Read } from '../sources/todo-file/read-file.ts'
import { replaceFile, untilWritten } from '../sources/todo-file/replace-file.ts'
import { takeOver } from '../sources/todo-file/take-over.ts'
import { beginningOf } from '../views/inputs.ts'
import { loopProgress, writtenInto } from '../views/loop-progress.ts'
import { forgetWhole, keepWhole } from './whole-output.ts'

/** What an agent may add to the progress file. */
const mostNoteBytes = 64_000
const mostBytes = 100 * 1024 * 1024

export interface NotebookOptions {
  root: string
  /** The run's own folder. */
  dir: string
  /** The backlog file, from the root. */
  backlog: string
  mask: (text: string) => string
  onTrouble(message: string): void
}

export function createNotebook({ root, dir, backlog, mask, onTrouble }: NotebookOptions): Notebook {
  /** What the pass under way was given: whoever takes the run over has to tell its edits from everybody else's. */
  const given = join(dir, 'loop', 'given-backlog')
  /** The same, as long as this process knows it. */
  let handed: Buffer | null = null
  const file = join(root, backlog)
  let known: { read: Read; bytes: Buffer } | null = null
  const trouble = (what: string, error: unknown): void =>
    onTrouble(`${what}: ${error instanceof Error ? error.message : String(error)}`)

  /**
   * What is trusted, and the way from there. In the user's checkout `.looper` is the user's, who may keep it elsewhere.
   */
  const loopFolder = (cwd: string): [base: string, path: string] => {
    const path = dirname(loopFiles.progress)
    return cwd === root ? [join(cwd, dirname(path)), basename(path)] : [cwd, path]
  }
  const giveBacklog = (cwd: string): void => {
    known = cwd === root ? null : look()
    if (known === null) return
    refuseDetour(cwd)
    for (const path of [given, join(cwd, backlog)]) {
      mkdirSync(dirname(path), { recursive: true })
      writePlainFile(path, known.bytes)
    }
    handed = known.bytes
  }
  /** The file as it is now; a large one is read and encoded anew only when it has changed. */
  const look = (): typeof known => {
    const read = (known && stillThere(file, known.read)) ?? readBacklog(file, backlog)
    return read && { read, bytes: read.source === known?.read.source ? known.bytes : Buffer.from(read.source) }
  }
  /** Its folder is the project's, so a link there is let be; but what is behind it is nobody's copy. */
  const refuseDetour = (cwd: string): void => {
    const found = inTheWay(cwd, dirname(backlog))
    if (found !== null) throw new Error(`${found} is not a folder there`)
  }
  const takeBacklog = async (cwd: string): Promise<void> => {
    const before = handed ?? readPlainBytes(given, mostBytes)
    // Who was given none has left none: what stands there is no copy, and may be large.
    const copy = before && readPlainBytes(join(cwd, backlog), mostBytes)
    if (before === null || copy === null || copy.equals(before)) return
    if (!isUtf8(copy)) throw new Error('it is not UTF-8 text any more')
    const was = before.toString()
    // A secret that the user's own file holds stays there; what the agent wrote brings none in.
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
  const notesIn = (cwd: string, state: RunState): Awaited<ReturnType<Notebook['read']>> => {
    if (inTheWay(...loopFolder(cwd)) !== null) return { progress: null, output: null }
    const laid = loopProgress(state)
    const progress = writtenInto(
      laid,
      readPlainFile(join(cwd, loopFiles.progress), Buffer.byteLength(laid) + mostNoteBytes),
    )
    return { progress: progress === null ? null : mask(progress), output: outputIn(cwd) }
  }
  /** What is too long for the journal is kept beside it, until it is put where people find it. */
  const outputIn = (cwd: string): string | null => {
    const output = readPlainFile(join(cwd, loopFiles.output), mostBytes)
    if (output === null || output.trim() === '') return null
    if (Buffer.byteLength(output) >= mostBytes)
      onTrouble('of what the agent gave to later stages only the first 100 MB are kept')
    const whole = mask(output)
    const beginning = beginningOf(whole)
    if (beginning === whole) return whole
    try {
      keepWhole(dir, whole)
    } catch (error) {
      trouble('of what the agent gave to later stages only the beginning is kept', error)
    }
    return beginning
  }

  return {
    lay(cwd, state) {
      makeRealFolder(...loopFolder(cwd))
      writePlainFile(join(cwd, loopFiles.progress), loopProgress(state))
      rmSync(join(cwd, loopFiles.output), { recursive: true, force: true })
      forget()
      forgetWhole(dir)
      // Where tasks are worked through, the file is the run's to keep.
      if (state.pipeline?.stages[state.loop?.stage ?? 0]?.completion.kind === 'tasks-empty') return
      try {
        giveBacklog(cwd)
      } catch (error) {
        trouble(`the agent was given no copy of ${backlog}`, error)
      }
    },
    async read(cwd, state) {
      const notes = notesIn(cwd, state)
      try {
        await takeBacklog(cwd)
      } catch (error) {
        trouble(`what the agent did to ${backlog} could not be taken over`, error)
      }
      forget()
      return notes
    },
  }
}

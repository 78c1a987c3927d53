/**
 * The files of a pass in its workspace: the progress so far, a file for its output to later stages, and a copy of the
 * backlog.
 */
import { basename, dirname, join } from 'node:path'
import { loopFiles } from '../../context/loop-prompt.ts'
import { messageOf } from '../../model/error.ts'
import type { RunState } from '../../model/state.ts'
import type { TurnOutcome } from '../../model/work.ts'
import { removeNow } from '../../platform/mounts.ts'
import { readPlainFile, writePlainFile } from '../../platform/plain-file.ts'
import { inTheWay, makeRealFolder } from '../../platform/real-folder.ts'
import { beginningOf } from '../../views/pipelines/inputs.ts'
import { loopProgress, writtenInto } from '../../views/pipelines/loop-progress.ts'
import { createBacklogCopy, type BacklogCopyOptions } from './backlog-copy.ts'
import { forgetWhole, keepWhole } from './whole-output.ts'

/** The most that an agent may add to the progress file. */
const mostProgressBytes = 64_000
const mostBytes = 100 * 1024 * 1024

export interface PassFiles {
  /** Writes the files into the workspace of the next pass. */
  lay(cwd: string, state: RunState): void
  /** Returns what the agent wrote into them, and takes its edits of the backlog over. */
  read(cwd: string, state: RunState): Promise<NonNullable<TurnOutcome['left']>>
}

export interface PassFilesOptions extends BacklogCopyOptions {
  onTrouble(message: string): void
}

export function createPassFiles(options: PassFilesOptions): PassFiles {
  const { root, dir, backlog, mask, onTrouble } = options
  const copy = createBacklogCopy(options)
  const trouble = (what: string, error: unknown): void => onTrouble(`${what}: ${messageOf(error)}`)

  /**
   * A trusted base folder, and the path from there that must be free of links. In the user's checkout `.looper` belongs
   * to the user and may be a link.
   */
  const loopFolder = (cwd: string): [base: string, path: string] => {
    const path = dirname(loopFiles.progress)
    return cwd === root ? [join(cwd, dirname(path)), basename(path)] : [cwd, path]
  }
  const filesIn = (cwd: string, state: RunState): Awaited<ReturnType<PassFiles['read']>> => {
    if (inTheWay(...loopFolder(cwd)) !== null) return { progress: null, output: null }
    const laid = loopProgress(state)
    const progress = writtenInto(
      laid,
      readPlainFile(join(cwd, loopFiles.progress), Buffer.byteLength(laid) + mostProgressBytes),
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
      copy.forget()
      forgetWhole(dir)
      // In a stage that works through tasks, the run itself maintains the backlog.
      if (state.pipeline?.stages[state.loop?.stage ?? 0]?.completion.kind === 'tasks-empty') return
      try {
        copy.give(cwd)
      } catch (error) {
        trouble(`the agent received no copy of ${backlog}`, error)
      }
    },
    async read(cwd, state) {
      const written = filesIn(cwd, state)
      try {
        await copy.take(cwd)
      } catch (error) {
        trouble(`the agent's changes of ${backlog} could not be merged`, error)
      }
      copy.forget()
      return written
    },
  }
}

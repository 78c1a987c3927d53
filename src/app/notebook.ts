/**
 * The files that a pass of a loop finds in its workspace: what was done before it, a place for what it gives to later stages, and a
 * copy of the backlog, which is the user's file and in no worktree. What it does to that copy is brought into the file by task.
 */
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { loopFiles } from '../context/loop-prompt.ts'
import type { Notebook } from '../engine/engine.ts'
import { readPlainFile, writePlainFile } from '../platform/plain-file.ts'
import { takeOver } from '../sources/todo-file/take-over.ts'
import { loopProgress, writtenInto } from '../views/loop-progress.ts'

const mostBytes = 64_000
const mostBacklogBytes = 100_000_000

export interface NotebookOptions {
  root: string
  /** The backlog file, from the root. */
  backlog: string
  mask: (text: string) => string
  onTrouble(message: string): void
}

export function createNotebook({ root, backlog, mask, onTrouble }: NotebookOptions): Notebook {
  /** What each workspace was given; after a restart nobody knows, and the copy is left alone. */
  const given = new Map<string, string>()
  const file = join(root, backlog)

  const giveBacklog = (cwd: string): void => {
    const text = cwd === root ? null : readPlainFile(file, mostBacklogBytes)
    if (text === null) return
    given.set(cwd, text)
    mkdirSync(dirname(join(cwd, backlog)), { recursive: true })
    writePlainFile(join(cwd, backlog), text)
  }
  const takeBacklog = (cwd: string): void => {
    const before = given.get(cwd)
    const [copy, current] = [join(cwd, backlog), file].map((path) => readPlainFile(path, mostBacklogBytes))
    given.delete(cwd)
    if (before === undefined || typeof copy !== 'string' || typeof current !== 'string') return
    const text = takeOver(before, copy, current, backlog)
    if (text === null) return
    writePlainFile(`${file}.new`, text)
    renameSync(`${file}.new`, file)
  }

  return {
    lay(cwd, state) {
      const progress = join(cwd, loopFiles.progress)
      mkdirSync(dirname(progress), { recursive: true })
      writePlainFile(progress, loopProgress(state))
      rmSync(join(cwd, loopFiles.output), { recursive: true, force: true })
      // Where tasks are worked through, the file is the run's to keep.
      if (state.pipeline?.stages[state.loop?.stage ?? 0]?.completion.kind !== 'tasks-empty') giveBacklog(cwd)
    },
    read(cwd, state) {
      try {
        takeBacklog(cwd)
      } catch (error) {
        onTrouble(`what the agent did to ${backlog} could not be taken over: ${error instanceof Error ? error.message : String(error)}`)
      }
      const progress = writtenInto(loopProgress(state), readPlainFile(join(cwd, loopFiles.progress), mostBytes))
      const output = readPlainFile(join(cwd, loopFiles.output), mostBytes)
      return { progress: progress === null ? null : mask(progress), output: output === null || output.trim() === '' ? null : mask(output) }
    },
  }
}

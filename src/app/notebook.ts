/** The files that a pass of a loop finds in its workspace: what was done before it, and a place for what it gives to later stages. */
import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { loopFiles } from '../context/loop-prompt.ts'
import type { Notebook } from '../engine/engine.ts'
import { readPlainFile, writePlainFile } from '../platform/plain-file.ts'
import { loopProgress, writtenInto } from '../views/loop-progress.ts'

const mostBytes = 64_000

export const createNotebook = (mask: (text: string) => string): Notebook => ({
  lay(cwd, state) {
    const progress = join(cwd, loopFiles.progress)
    mkdirSync(dirname(progress), { recursive: true })
    writePlainFile(progress, loopProgress(state))
    rmSync(join(cwd, loopFiles.output), { recursive: true, force: true })
  },
  read(cwd, state) {
    const progress = writtenInto(loopProgress(state), readPlainFile(join(cwd, loopFiles.progress), mostBytes))
    const output = readPlainFile(join(cwd, loopFiles.output), mostBytes)
    return { progress: progress === null ? null : mask(progress), output: output === null || output.trim() === '' ? null : mask(output) }
  },
})

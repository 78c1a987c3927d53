/**
 * Named pipes where git expects files. Git opens `.gitignore` or an object without asking what it is, and a pipe in its
 * place keeps it waiting for ever.
 */
import { closeSync, constants, openSync, unlinkSync } from 'node:fs'
import { runProcess } from '../platform/run-process.ts'

/** Where pipes may keep git waiting: in a work tree only those that git opens, in a git directory all. */
export interface Suspect {
  folder: string
  isGitDir: boolean
}

const firstLookMs = 3_000
const laterLooksMs = 10_000

/** Removes pipes when a git that works there takes long. Call the function that it returns when git has ended. */
export function watchForPipes(suspect: Suspect): () => void {
  let timer = setTimeout(look, firstLookMs)
  let isOver = false
  function look(): void {
    // Where it cannot look now, for want of processes or files, it looks later.
    void dropPipes(suspect)
      .catch(() => {})
      .finally(() => {
        if (!isOver) timer = setTimeout(look, laterLooksMs)
      })
  }
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}

/** Removes the pipes; a process that waits for one reads an empty file. Best effort. */
export async function dropPipes({ folder, isGitDir }: Suspect): Promise<void> {
  const names = isGitDir ? [] : ['-name', '.git*']
  const found = await runProcess({
    argv: ['find', folder, '-type', 'p', ...names, '-print0'],
    cwd: '/',
    timeoutMs: 60_000,
    encoding: 'latin1',
  })
  for (const path of found.stdout.split('\0')) if (path !== '') drop(Buffer.from(path, 'latin1'))
}

/** Open at both ends, it lets go of the process that waits to open it; closed again, it is at its end. */
function drop(path: Buffer): void {
  try {
    const file = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
    try {
      unlinkSync(path)
    } finally {
      closeSync(file)
    }
  } catch {
    // It is gone, or not ours.
  }
}

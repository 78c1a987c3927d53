/**
 * Removes named pipes where git expects files. Git opens `.gitignore` or an object without checking its type, and a
 * pipe in its place blocks git for ever.
 */
import { closeSync, constants, openSync, unlinkSync } from 'node:fs'
import { runProcess } from '../../platform/run-process.ts'

/** Where to search for pipes that can block git: in a work tree only `.git*` names, in a git directory all of them. */
export interface Suspect {
  folder: string
  isGitDir: boolean
}

const firstSearchMs = 3_000
const laterSearchesMs = 10_000

/** Removes pipes when a git in that folder takes long. Call the returned function when git has ended. */
export function watchForPipes(suspect: Suspect): () => void {
  let timer = setTimeout(search, firstSearchMs)
  let isOver = false
  function search(): void {
    // A search that fails for lack of processes or file descriptors is repeated later.
    void dropPipes(suspect)
      .catch(() => {})
      .finally(() => {
        if (!isOver) timer = setTimeout(search, laterSearchesMs)
      })
  }
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}

/** Removes the pipes, best effort. A process that waits for one reads an empty file. */
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

/**
 * Opening the pipe for reading and writing releases a process that waits to open it; closing it then gives that process
 * end of file.
 */
function drop(path: Buffer): void {
  try {
    const file = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
    try {
      unlinkSync(path)
    } finally {
      closeSync(file)
    }
  } catch {
    // The pipe is gone or belongs to another user.
  }
}

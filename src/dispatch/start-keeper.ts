/**
 * Starts the keeper of a run: a process in a session of its own that waits for the end of this one, and then holds the turns that are
 * left to their bounds. The kernel closes the pipe between both when this process dies, however it dies.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { farewell, type KeeperGreeting } from './keeper-greeting.ts'

export interface Keeper {
  /** Starts it unless it runs. Does not wait and does not throw: without a keeper a run works as well, only less guarded. */
  ensure(): void
  /** Nothing is under way any more: it ends. */
  release(): void
}

/** A keeper that keeps dying is not started for ever. */
const maxStarts = 8

export function createKeeper(program: string, greeting: KeeperGreeting): Keeper {
  let child: ChildProcess | null = null
  let starts = 0
  let released = false

  const forget = (dead: ChildProcess): void => {
    if (child !== dead) return
    child = null
    if (!released) start()
  }
  const start = (): void => {
    if (child !== null || starts >= maxStarts) return
    starts++
    try {
      // The folder is there for people who list processes.
      const argv = [program, greeting.runDir]
      const started = spawn(process.execPath, argv, { cwd: '/', env: {}, detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
      child = started
      started.once('error', () => forget(started))
      started.once('exit', () => forget(started))
      started.stdin?.on('error', () => {})
      started.stdin?.write(`${JSON.stringify(greeting)}\n`)
      letGo(started)
    } catch {
      // No process left on this machine: the turn is about to learn that itself.
    }
  }
  return {
    ensure() {
      released = false
      start()
    },
    release() {
      released = true
      child?.stdin?.end(`${farewell}\n`)
      child = null
    },
  }
}

/** Neither the process nor the pipe to it keeps this one alive. */
function letGo(child: ChildProcess): void {
  child.unref()
  const pipe: unknown = child.stdin
  if (typeof pipe === 'object' && pipe !== null && 'unref' in pipe && typeof pipe.unref === 'function') pipe.unref()
}

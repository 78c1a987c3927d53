/**
 * Starts the keeper of a run: a process in a session of its own that waits for the end of this one, and then holds the
 * turns that are left to their bounds. The kernel closes the pipe between both when this process dies, however it dies.
 * Until then a shell waits, which starts in a millisecond and takes a megabyte; it becomes the keeper's program. Where
 * that is just being built anew, the shell waits for it.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { nudge } from '../platform/lock-client.ts'
import { lockName } from '../platform/lock.ts'
import { farewell, keeperLock, type KeeperGreeting } from './keeper-greeting.ts'

export interface Keeper {
  /**
   * Starts it unless it runs. Does not wait and does not throw: without a keeper a run works as well, only less
   * guarded.
   */
  ensure(): void
  /** Nothing is under way any more: it ends. */
  release(): void
}

const script = `
trap '' HUP INT QUIT
IFS= read -r greeting || exit 0
IFS= read -r last
[ "$last" = '${farewell}' ] && exit 0
for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do [ -e "$2" ] && break; sleep 3; done
exec "$@" <<greeting
$greeting
greeting`

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
      const argv = ['-c', script, 'keeper', process.execPath, program, greeting.runDir]
      const started = spawn('/bin/sh', argv, { cwd: '/', env: {}, detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
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
      // The keeper of an engine that died has nothing to do any more.
      if (starts === 0) void nudge(keeperLock(lockName(greeting.runDir)))
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

/**
 * Starts the keeper of a run: a process in its own session that waits for the end of this one and then enforces the
 * bounds of the remaining turns. The kernel closes the pipe between them when this process dies, however it dies. Until
 * then a shell waits, which starts in a millisecond and takes a megabyte; it then execs the keeper's program. If that
 * program is being rebuilt at the time, the shell waits for it.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { nudge } from '../platform/lock-client.ts'
import { lockName } from '../platform/lock.ts'
import { recordSession } from '../platform/sessions.ts'
import { farewell, keeperLock, type KeeperGreeting } from './keeper-greeting.ts'

export interface Keeper {
  /**
   * Starts the keeper unless it runs. Does not wait and does not throw: a run works without a keeper, only with less
   * protection.
   */
  ensure(): void
  /** Ends the keeper, because no work is running any more. */
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

/** Limits the restarts of a keeper that keeps dying. */
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
      // The run's folder is an argument only to identify the keeper in a process list.
      const argv = ['-c', script, 'keeper', process.execPath, program, greeting.runDir]
      const started = recordSession(
        spawn('/bin/sh', argv, { cwd: '/', env: {}, detached: true, stdio: ['pipe', 'ignore', 'ignore'] }),
      )
      child = started
      started.once('error', () => forget(started))
      started.once('exit', () => forget(started))
      started.stdin?.on('error', () => {})
      started.stdin?.write(`${JSON.stringify(greeting)}\n`)
      letGo(started)
    } catch {
      // No process can be started on this machine; the turn is about to fail for the same reason.
    }
  }
  return {
    ensure() {
      released = false
      // The keeper of a dead engine is no longer needed.
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

/** Unrefs the process and its pipe, so that neither keeps this process alive. */
function letGo(child: ChildProcess): void {
  child.unref()
  const pipe: unknown = child.stdin
  if (typeof pipe === 'object' && pipe !== null && 'unref' in pipe && typeof pipe.unref === 'function') pipe.unref()
}

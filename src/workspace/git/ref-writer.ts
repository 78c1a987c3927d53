/**
 * Moves refs through one `git update-ref --stdin` process that serves many transactions, because starting git takes ten
 * times as long as moving a ref. This is only an optimization: after any failure or timeout the process ends and the
 * caller runs an ordinary git, which waits for locks and reports errors.
 */
import { spawn } from 'node:child_process'
import { gitCommand, type GitCall } from './git.ts'
import { markVariable } from '../../platform/mark.ts'
import { signalGroup } from '../../platform/process-group.ts'
import { recordSession } from '../../platform/sessions.ts'

export interface RefWriter {
  /** Applies all lines or none. False: git has not confirmed the transaction. Calls must not overlap. */
  write(lines: readonly string[]): Promise<boolean>
  /** Ends the process and resolves when it is gone. A later write starts a new one. */
  close(): Promise<void>
}

/** How long an idle process waits for another transaction. */
const idleMs = 1_000

type WriterCall = GitCall & { cwd: string; mark: string }

/** `guardMs`: how long a transaction, or the end of the process, may take before the process is killed. */
export function openRefWriter(note: string, call: WriterCall, guardMs: number): RefWriter {
  let running: Running | null = null
  let idle: NodeJS.Timeout | undefined

  const end = async (): Promise<void> => {
    const ending = running
    running = null
    await ending?.end(guardMs)
  }

  return {
    close() {
      clearTimeout(idle)
      return end()
    },
    async write(lines) {
      clearTimeout(idle)
      running ??= tryToStart(['update-ref', '-m', note, '--stdin'], call)
      if (running === null) return false
      const asked = running
      const guard = guarded(() => asked.kill(), guardMs)
      const isDone = await asked.ask(`start\n${lines.join('\n')}\ncommit\n`, 'commit: ok\n')
      clearTimeout(guard)
      if (isDone) idle = setTimeout(() => void end(), idleMs).unref()
      // Wait for its end: while it runs, it may hold locks of the refs that the caller moves next.
      else await end()
      return isDone
    },
  }
}

/**
 * After this process was suspended, the timer fires before an earlier answer is read, so it waits one event loop turn.
 */
const guarded = (act: () => void, guardMs: number): NodeJS.Timeout => setTimeout(() => setImmediate(act), guardMs)

interface Running {
  ask(request: string, answer: string): Promise<boolean>
  /** Closes its input, and kills it if it does not end in time. Resolves when it is gone. */
  end(guardMs: number): Promise<void>
  kill(): void
}

/** Null when the machine cannot start another process. */
function tryToStart(args: readonly string[], call: WriterCall): Running | null {
  try {
    return start(args, call)
  } catch {
    return null
  }
}

/** The child ends with this process, because that closes its input. An idle child does not keep this process alive. */
function start(args: readonly string[], call: WriterCall): Running {
  const {
    argv: [program, ...rest],
    env,
  } = gitCommand(args, call)
  const child = recordSession(
    spawn(program, rest, {
      cwd: call.cwd,
      env: { ...env, [markVariable]: call.mark },
      detached: true,
      stdio: ['pipe', 'pipe', 'ignore'],
    }),
  )
  let said = ''
  let settle: (isDone: boolean) => void = () => {}
  let isOver = false
  const over = (): void => {
    isOver = true
    settle(false)
  }
  const isGone = (): boolean => child.pid === undefined || child.exitCode !== null || child.signalCode !== null
  const kill = (): void => signalGroup(child.pid ?? 0, 'SIGKILL')
  child.on('error', over).on('exit', over)
  child.stdin?.on('error', over)
  child.stdout?.on('error', over)
  const parts = [child, child.stdin, child.stdout].filter((part) => part instanceof Object && 'unref' in part)
  for (const part of parts) part.unref()
  return {
    ask: (request, answer) =>
      new Promise((resolve) => {
        said = ''
        settle = (isDone) => {
          for (const part of parts) part.unref()
          resolve(isDone)
        }
        if (isOver || child.pid === undefined) return settle(false)
        for (const part of parts) part.ref()
        child.stdout?.removeAllListeners('data').on('data', (chunk: Buffer) => {
          said += chunk.toString()
          if (said.endsWith(answer)) settle(true)
        })
        child.stdin?.write(request)
      }),
    kill,
    async end(guardMs) {
      child.stdin?.end()
      if (isGone()) return
      // This process must stay alive until the child is gone.
      child.ref()
      const guard = guarded(kill, guardMs)
      await new Promise<void>((resolve) => {
        child.on('error', () => resolve()).on('exit', () => resolve())
      })
      clearTimeout(guard)
    },
  }
}

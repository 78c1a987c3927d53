/**
 * Moves refs through one `git update-ref --stdin` that serves many transactions: starting git takes ten times as long as
 * moving a ref. It is only a short cut. Whatever goes wrong ends the process, and the caller asks an ordinary git, which
 * waits for locks and says what is wrong.
 */
import { spawn } from 'node:child_process'
import { gitCommand, type GitCall } from './git.ts'
import { markVariable } from '../platform/mark.ts'

export interface RefWriter {
  /** All lines or none. False: git has not said that it is done. Calls must not overlap. */
  write(lines: readonly string[]): Promise<boolean>
  /** Ends the process and resolves when it is gone. A later write starts another one. */
  close(): Promise<void>
}

/** How long the process waits for another transaction. */
const idleMs = 1_000

export function openRefWriter(note: string, call: GitCall & { cwd: string; mark: string }): RefWriter {
  let running: Running | null = null
  let idle: NodeJS.Timeout | undefined

  const end = async (): Promise<void> => {
    const ending = running
    running = null
    await ending?.end()
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
      const isDone = await running.ask(`start\n${lines.join('\n')}\ncommit\n`, 'commit: ok\n')
      if (isDone) idle = setTimeout(() => void end(), idleMs).unref()
      else void end()
      return isDone
    },
  }
}

interface Running {
  ask(request: string, answer: string): Promise<boolean>
  end(): Promise<void>
}

/** Null when the machine has no room for another process. */
function tryToStart(args: readonly string[], call: GitCall & { cwd: string; mark: string }): Running | null {
  try {
    return start(args, call)
  } catch {
    return null
  }
}

/** It ends with this process, whose end closes its input. Meanwhile it does not keep this process alive. */
function start(args: readonly string[], call: GitCall & { cwd: string; mark: string }): Running {
  const { argv: [program, ...rest], env } = gitCommand(args, call)
  const child = spawn(program, rest, {
    cwd: call.cwd, env: { ...env, [markVariable]: call.mark }, detached: true, stdio: ['pipe', 'pipe', 'ignore'],
  })
  let said = ''
  let settle: (isDone: boolean) => void = () => {}
  let isOver = false
  const over = (): void => {
    isOver = true
    settle(false)
  }
  child.on('error', over).on('exit', over)
  child.stdin?.on('error', over)
  const parts = [child, child.stdin, child.stdout].filter((part) => part instanceof Object && 'unref' in part)
  for (const part of parts) part.unref()
  return {
    ask: (request, answer) => new Promise((resolve) => {
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
    async end() {
      child.stdin?.end()
      if (isOver) return
      // Until it is gone, it keeps this process alive.
      child.ref()
      await new Promise<void>((resolve) => {
        child.on('error', () => resolve()).on('exit', () => resolve())
      })
    },
  }
}

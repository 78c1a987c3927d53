/**
 * Runs the agent as a child of the driver, in the same process group and with the same mark, so that ending the turn
 * ends both.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { createLineSplitter } from '../../../platform/line-splitter.ts'

export interface Gone {
  code: number | null
  signal: NodeJS.Signals | null
  /** The end of its stderr. */
  stderr: string
}

export interface AgentProcess {
  write(line: string): void
  /** Resolves when the process has exited and its output is read. Rejects when it could not be started. */
  gone: Promise<Gone>
  /** Gives the agent time to finish its output, then kills it. */
  end(): Promise<void>
  kill(): void
}

export interface ProcessOptions {
  argv: readonly [string, ...string[]]
  env: NodeJS.ProcessEnv
  onLine(line: string): void
  onComplaint(chunk: Buffer): void
}

const maxLineBytes = 32 * 1024 * 1024
const keptChars = 1_000
/** An orphaned child process may keep the streams open forever. */
const drainMs = 500
const graceMs = 1_500

export function startAgentProcess({
  argv: [program, ...args],
  env,
  onLine,
  onComplaint,
}: ProcessOptions): AgentProcess {
  const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'pipe'] })
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => {
    onComplaint(chunk)
    stderr = `${stderr}${chunk.toString()}`.slice(-keptChars)
  })
  const splitter = createLineSplitter(maxLineBytes, onLine, (bytes) => onLine(`(a line of ${bytes} bytes)`))
  child.stdout.on('data', (chunk: Buffer) => splitter.push(chunk)).on('end', () => splitter.end())
  child.stdin.on('error', () => {})

  const closed = once(child, 'close')
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve, reject) => {
    child.on('exit', (code, signal) => resolve({ code, signal })).on('error', reject)
  })
  const gone = exited.then(async (exit) => {
    await Promise.race([closed, delay(drainMs)])
    return { ...exit, stderr: stderr.trim() }
  })
  const within = (ms: number): Promise<boolean> =>
    Promise.race([
      exited.then(
        () => true,
        () => true,
      ),
      delay(ms, false),
    ])
  closed.catch(() => {})
  gone.catch(() => {})
  return {
    gone,
    write: (line) => {
      child.stdin.write(`${line}\n`)
    },
    async end() {
      child.stdin.end()
      for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
        if (await within(graceMs)) return
        child.kill(signal)
      }
      await within(graceMs)
    },
    kill: () => {
      child.kill('SIGKILL')
    },
  }
}

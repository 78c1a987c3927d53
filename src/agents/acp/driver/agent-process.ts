/** The agent as a child of the driver: same group, same mark, so that whoever ends the turn ends it too. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { createLineSplitter } from '../../../platform/line-splitter.ts'

export interface Gone {
  code: number | null
  signal: NodeJS.Signals | null
  /** The end of what it complained about. */
  stderr: string
}

export interface AgentProcess {
  write(line: string): void
  /** Resolves when it is gone and everything it said was heard. Rejects when it could not be started. */
  gone: Promise<Gone>
  /** Lets it finish what it has to write, then makes it. */
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
/** An orphan may hold its streams open for ever. */
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

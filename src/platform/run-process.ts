/** Runs a short-lived child (git, a check, a set-up command) in a process group of its own and collects its output. */
import { messageOf } from '../model/error.ts'
import { spawn, type ChildProcessByStdio } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { markVariable } from './mark.ts'
import type { Sandbox } from './sandbox/sandbox.ts'
import { spawnPatiently } from './spawn-patiently.ts'
import { tagCommand } from './tag.ts'

export interface ProcessRequest {
  argv: [string, ...string[]]
  cwd: string
  /** The whole environment; the parent's when absent. */
  env?: NodeJS.ProcessEnv
  mark?: string
  /** Without a sandbox, the command and its descendants get the tag of the mark, so that `endTagged` finds them. */
  tagged?: boolean
  /** Absent or null: the command runs with the rights of the user. */
  sandbox?: Sandbox | null
  /** The folder for temporary files in a sandbox. */
  tmp?: string
  /** Further writable folders in a sandbox. */
  writable?: readonly string[]
  input?: string
  timeoutMs?: number
  signal?: AbortSignal
  /** How many bytes of each stream are kept. The end is kept, because failures are reported there. */
  keepBytes?: number
  /** UTF-8 by default. latin1 maps every byte to one character. */
  encoding?: 'utf8' | 'latin1'
  /** Receives every chunk of both streams as it arrives. */
  onOutput?: (chunk: Buffer) => void
}

export interface ProcessResult {
  /** Null when ended by a signal or never started. */
  exitCode: number | null
  /** False when the program could not be started at all. */
  started: boolean
  stdout: string
  stderr: string
  timedOut: boolean
  aborted: boolean
  durationMs: number
}

const defaultKeepBytes = 8 * 1024 * 1024

/**
 * A missing program is a result with `started: false` and the reason in `stderr`. Rejects with ENVIRONMENT_RESOURCES
 * when the machine cannot start another process, and for arguments that no process can have.
 */
export async function runProcess(request: ProcessRequest): Promise<ProcessResult> {
  const begun = performance.now()
  const command = commandOf(request)
  if (typeof command === 'string') return notStarted(command, begun)
  try {
    const isWanted = (): boolean => request.signal?.aborted !== true
    return await collect(request, await spawnPatiently(() => start({ ...request, ...command }), isWanted), begun)
  } catch (error) {
    if (request.signal?.aborted === true) return { ...notStarted('called off', begun), aborted: true }
    if (isMissing(error)) return notStarted(error.message, begun)
    throw error
  }
}

/**
 * Node reports a program or folder that cannot be used with a `spawn` syscall. Errors that Node throws for other
 * reasons have none.
 */
const isMissing = (error: unknown): error is Error =>
  error instanceof Error && 'syscall' in error && String(error.syscall).startsWith('spawn')

const notStarted = (why: string, begun: number): ProcessResult => ({
  exitCode: null,
  started: false,
  stdout: '',
  stderr: why,
  timedOut: false,
  aborted: false,
  durationMs: Math.round(performance.now() - begun),
})

type Child = ChildProcessByStdio<Writable | null, Readable, Readable>

function start({ argv: [program, ...args], cwd, env, input }: ProcessRequest): Child {
  const how = { cwd, env, detached: true }
  return input === undefined
    ? spawn(program, args, { ...how, stdio: ['ignore', 'pipe', 'pipe'] })
    : spawn(program, args, { ...how, stdio: ['pipe', 'pipe', 'pipe'] })
}

function collect(request: ProcessRequest, child: Child, begun: number): Promise<ProcessResult> {
  const keep = request.keepBytes ?? defaultKeepBytes
  return new Promise((resolve) => {
    const streams = { stdout: tailBuffer(keep), stderr: tailBuffer(keep) }
    let timedOut = false
    const end = (): void => endGroup(child.pid)
    const timeout = (): void => {
      if (child.exitCode !== null || child.signalCode !== null) return
      timedOut = true
      end()
    }
    // After this process was suspended, the timer fires before the exit event of the child, although the exit came
    // first. setImmediate lets the exit event in.
    const timer =
      request.timeoutMs === undefined ? undefined : setTimeout(() => setImmediate(timeout), request.timeoutMs)
    request.signal?.addEventListener('abort', end, { once: true })
    if (request.signal?.aborted) end()

    let settled = false
    const settle = (exitCode: number | null, started: boolean, note = ''): void => {
      if (settled) return
      settled = true
      clearTimeout(timer)
      request.signal?.removeEventListener('abort', end)
      child.stdout.destroy()
      child.stderr.destroy()
      resolve({
        exitCode,
        started,
        timedOut,
        aborted: request.signal?.aborted ?? false,
        stdout: streams.stdout.text(request.encoding),
        stderr: streams.stderr.text() + note,
        durationMs: Math.round(performance.now() - begun),
      })
    }
    child.stdout.on('data', (chunk: Buffer) => {
      streams.stdout.push(chunk)
      request.onOutput?.(chunk)
    })
    child.stderr.on('data', (chunk: Buffer) => {
      streams.stderr.push(chunk)
      request.onOutput?.(chunk)
    })
    child.on('error', (error) => settle(null, false, error.message))
    child.on('close', (code) => settle(code, true))
    // A grandchild may keep the pipes open for ever, so the output gets only a moment after the exit.
    child.on('exit', (code) => setTimeout(() => settle(code, true), 2_000).unref())
    child.stdin?.on('error', () => {})
    child.stdin?.end(request.input)
  })
}

/** The command to start, or the reason why it cannot be started. */
function commandOf(request: ProcessRequest): Pick<ProcessRequest, 'argv' | 'env'> | string {
  const { argv, cwd, mark, sandbox, tagged, tmp, writable } = request
  if (argv[0] === '') return 'there is no program to start'
  const env = { ...(request.env ?? process.env), ...(mark === undefined ? {} : { [markVariable]: mark }) }
  try {
    const folders = { ...(tmp === undefined ? {} : { tmp }), ...(writable === undefined ? {} : { writable }) }
    if (sandbox) return sandbox.wrap({ argv, cwd, env, ...folders })
    return { argv: tagged && mark !== undefined ? tagCommand(argv, mark, cwd, env) : argv, env }
  } catch (error) {
    return messageOf(error)
  }
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The group is already gone.
  }
}

function tailBuffer(keep: number): { push(chunk: Buffer): void; text(encoding?: 'utf8' | 'latin1'): string } {
  let chunks: Buffer[] = []
  let size = 0
  return {
    push(chunk) {
      chunks.push(chunk)
      size += chunk.length
      if (size > 2 * keep) {
        const tail = Buffer.concat(chunks).subarray(-keep)
        chunks = [tail]
        size = tail.length
      }
    },
    text: (encoding = 'utf8') => Buffer.concat(chunks).subarray(-keep).toString(encoding),
  }
}

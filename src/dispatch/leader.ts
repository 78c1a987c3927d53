/** The process that Looper started for a turn: a child of this engine, or one that an earlier engine left. */
import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, readlinkSync, statSync } from 'node:fs'
import { openPlainFile } from '../platform/plain-file.ts'
import { judgeStart } from '../agents/exit.ts'
import { factsOf, identityOf, isAlive, type ProcessIdentity } from '../platform/process-identity.ts'
import { signalGroup } from '../platform/process-group.ts'
import { findMarked } from '../platform/sweep.ts'
import type { AgentError } from '../model/agent-error.ts'
import type { Output } from './output.ts'
import type { Leader } from './supervise.ts'

export interface StartRequest {
  argv: readonly [string, ...string[]]
  cwd: string
  env: NodeJS.ProcessEnv
  promptFile: string
  output: Output
}

/**
 * Detached and with files instead of pipes, so that it outlives this engine and never waits for a reader. May throw
 * what spawn throws.
 */
export function startAgent({ argv: [program, ...args], cwd, env, promptFile, output }: StartRequest): ChildProcess {
  const prompt = openPlainFile(promptFile, 'read')
  try {
    return spawn(program, args, { cwd, env, detached: true, stdio: [prompt, output.streamFile, output.stderrFile] })
  } finally {
    closeSync(prompt)
  }
}

/** Null when the agent is not at fault: its workspace is gone, and the work must be repeated elsewhere. */
export const explainStart = (error: NodeJS.ErrnoException, program: string, cwd: string): AgentError | null =>
  statSync(cwd, { throwIfNoEntry: false })?.isDirectory() ? judgeStart(error, program) : null

/** A child of this process: its end arrives as an event, so polls need not check it. */
export const ownLeader = (pid: number): Leader => ({
  signal: (signal) => signalGroup(pid, signal),
  isGone: () => false,
})

export const adoptedLeader = (identity: ProcessIdentity): Leader => ({
  signal: (signal) => {
    if (isAlive(identity)) signalGroup(identity.pid, signal)
  },
  isGone: () => !isAlive(identity),
})

/**
 * Whether the process runs and can be the agent. An agent leads its own group; this is checked because the agent can
 * write its own record.
 */
export const isLeading = (identity: ProcessIdentity): boolean =>
  identity.pid > 1 && identity.pid !== process.pid && isAlive(identity) && factsOf(identity.pid)?.group === identity.pid

/** Kills the rest of a group whose leader is gone; does nothing when the pid has been reused. */
export function endGroup(pid: number): void {
  if (identityOf(pid) === null) signalGroup(pid, 'SIGKILL')
}

/**
 * The first process with this mark that leads a group and prints to the stream, for an engine that died before it wrote
 * the record. A program that the agent left behind may lead a group, too.
 */
export function findLeader(mark: string, stream: string): ProcessIdentity | null {
  const leaders = findMarked(mark)
    .filter((found) => found.mark === mark && factsOf(found.pid)?.group === found.pid && printsTo(found.pid, stream))
    .flatMap(({ pid }) => identityOf(pid) ?? [])
  return leaders.toSorted((a, b) => age(a) - age(b)).at(0) ?? null
}

/** Only Linux shows the files of a process, and not those of a confined one. */
function printsTo(pid: number, stream: string): boolean {
  if (process.platform !== 'linux') return true
  try {
    const [stdout, file] = [`/proc/${pid}/fd/1`, stream].map((path) => statSync(path, { throwIfNoEntry: false }))
    return stdout !== undefined && stdout.dev === file?.dev && stdout.ino === file.ino
  } catch {
    return true
  }
}

/** The folder that the process is in; null where the system does not report it. */
export function folderOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return null
  }
}

/** Clock ticks on Linux, a date on macOS. */
const age = ({ startTime }: ProcessIdentity): number => Number(startTime) || Date.parse(startTime)

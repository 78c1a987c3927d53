/** The process that Looper started for a turn: our own child, or one that an earlier engine left. */
import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, statSync } from 'node:fs'
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
 * Detached and with files instead of pipes, so that it outlives us and never waits for us to read. May throw what spawn
 * throws.
 */
export function startAgent({ argv: [program, ...args], cwd, env, promptFile, output }: StartRequest): ChildProcess {
  const prompt = openPlainFile(promptFile, 'read')
  try {
    return spawn(program, args, { cwd, env, detached: true, stdio: [prompt, output.streamFile, output.stderrFile] })
  } finally {
    closeSync(prompt)
  }
}

/** Null when it is not the agent's fault: its workspace is gone, and the work has to be done again elsewhere. */
export const explainStart = (error: NodeJS.ErrnoException, program: string, cwd: string): AgentError | null =>
  statSync(cwd, { throwIfNoEntry: false })?.isDirectory() ? judgeStart(error, program) : null

/** An own child: its end comes as an event, so polls need not ask. */
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
 * Whether it runs and could be ours: an agent leads its own group, and the record of it lies where that agent can
 * write.
 */
export const isLeading = (identity: ProcessIdentity): boolean =>
  identity.pid > 1 && identity.pid !== process.pid && isAlive(identity) && factsOf(identity.pid)?.group === identity.pid

/** What is left of a group whose leader is gone; nothing when its number belongs to someone else by now. */
export function endGroup(pid: number): void {
  if (identityOf(pid) === null) signalGroup(pid, 'SIGKILL')
}

/**
 * Of the processes with a mark, the first that leads a group of its own: for when an engine died before it wrote down
 * which.
 */
export function findLeader(mark: string): ProcessIdentity | null {
  const leaders = findMarked(mark)
    .filter((found) => found.mark === mark && factsOf(found.pid)?.group === found.pid)
    .flatMap(({ pid }) => identityOf(pid) ?? [])
  return leaders.toSorted((a, b) => age(a) - age(b)).at(0) ?? null
}

/** Ticks on Linux, a date on macOS. */
const age = ({ startTime }: ProcessIdentity): number => Number(startTime) || Date.parse(startTime)

/** Supervises one agent process: time, silence, flood, cost, disk, and the escalation from stop signals to SIGKILL. */
import type { CancelHow } from '../model/ports/site.ts'
import type { Excess } from './excess.ts'
import type { Output } from './output.ts'

export interface Timings {
  /** Interval at which files and processes are polled; the end of a child is seen at once. */
  pollMs: number
  /** Grace period after each stop signal. */
  graceMs: number
  /** Grace period between SIGTERM and SIGKILL for leftovers of a turn. */
  sweepGraceMs: number
  /** Shortest interval between hints about growing usage. */
  hintMs: number
}

export const defaultTimings: Timings = { pollMs: 100, graceMs: 5_000, sweepGraceMs: 300, hintMs: 1_000 }

/** The process that Looper started, a child or adopted. */
export interface Leader {
  /** Signals the whole group; does nothing when the process is gone. */
  signal(signal: NodeJS.Signals): void
  /** Checked with every poll; a child announces its end by `Supervision.exited` instead. */
  isGone(): boolean
}

export type Why = 'exited' | Excess | 'unrecoverable' | 'cancelled'

/** Code and signal are both null when the exit was not observed. */
export interface Exit {
  code: number | null
  signal: string | null
}

export interface Supervision {
  over: Promise<Exit & { why: Why }>
  exited(exit: Exit): void
  stop(why: Why, how: CancelHow): void
  close(): void
}

export interface Supervised {
  leader: Leader
  output: Output
  stopSignals: readonly NodeJS.Signals[]
  /** Null means no limit. */
  stallMs: number | null
  timeoutMs: number | null
  totalBytes: number
  /** Time on the steady clock. */
  begunAt: number
  timings: Timings
  onProgress(): void
  /** Whether the output so far shows an unrecoverable error, or an agent that loops. */
  isUnrecoverable(): boolean
  isLooping(): boolean
  /** The run has spent more than its limits allow. */
  isOverspent(): boolean
  /** The turns of the run have written more than the disk limit allows. */
  isOverDisk(): boolean
  /** Called once, before the first signal of a turn that exceeded a bound. */
  onExcess?(why: Excess): void
}

/** This much in one poll may become a flood, so the next poll follows at once. */
const rushBytes = 16 * 1024 * 1024

/** A poll this late means that this process was suspended. */
const stoppedMs = 1_000

export function supervise({ leader, output, timings, ...limits }: Supervised): Supervision {
  let why: Why = 'exited'
  let size = 0
  let grewAt = performance.now()
  let overspentSince: number | null = null
  let due = grewAt + timings.pollMs
  let pollTimer: NodeJS.Timeout | undefined
  let stopTimer: NodeJS.Timeout | undefined
  let closed = false
  let resolve: (ended: Exit & { why: Why }) => void = () => {}
  const over = new Promise<Exit & { why: Why }>((settle) => {
    resolve = settle
  })

  const close = (): void => {
    closed = true
    clearTimeout(pollTimer)
    clearTimeout(stopTimer)
  }
  const exited = (exit: Exit): void => {
    if (closed) return
    close()
    resolve({ ...exit, why })
  }
  const escalate = ([signal, ...rest]: readonly NodeJS.Signals[]): void => {
    clearTimeout(stopTimer)
    // Even SIGKILL had no effect: the process is stuck in the kernel, and waiting does not help.
    if (signal === undefined) return exited({ code: null, signal: null })
    leader.signal(signal)
    stopTimer = setTimeout(escalate, timings.graceMs, rest)
  }
  const stop = (reason: Why, how: CancelHow): void => {
    if (closed || (why !== 'exited' && how !== 'now')) return
    if (why === 'exited') why = reason
    escalate(how === 'now' ? ['SIGKILL'] : limits.stopSignals)
  }
  const end = (excess: Excess, how: CancelHow): void => {
    if (why === 'exited') limits.onExcess?.(excess)
    stop(excess, how)
  }
  /** Many agents report their cost in their last line, so they get time to finish. */
  const hasOverspent = (now: number): boolean => {
    overspentSince = limits.isOverspent() ? (overspentSince ?? now) : null
    return overspentSince !== null && now - overspentSince > timings.graceMs
  }
  const judge = (now: number): void => {
    if (size > limits.totalBytes) end('flooded', 'now')
    else if (why !== 'exited') return
    else if (limits.isOverDisk()) end('disk', 'now')
    else if (limits.isUnrecoverable()) stop('unrecoverable', 'gracefully')
    else if (limits.isLooping()) end('looping', 'gracefully')
    else if (limits.timeoutMs !== null && now - limits.begunAt > limits.timeoutMs) end('timeout', 'gracefully')
    else if (limits.stallMs !== null && now - grewAt > limits.stallMs) end('stalled', 'gracefully')
    else if (hasOverspent(now)) end('overspent', 'gracefully')
  }
  const poll = (): void => {
    const now = performance.now()
    const grown = output.size() - size
    if (grown !== 0) {
      size += grown
      grewAt = now
      output.read()
    }
    limits.onProgress()
    if (leader.isGone()) return exited({ code: null, signal: null })
    // Time in which this process was suspended does not count as silence. An exit during that time must be processed
    // before any bound is checked.
    if (now - due > stoppedMs) grewAt += now - due
    else judge(now)
    if (closed) return
    due = now + (grown > rushBytes ? 1 : timings.pollMs)
    pollTimer = setTimeout(poll, due - now)
  }
  pollTimer = setTimeout(poll, timings.pollMs)
  return { over, exited, stop, close }
}

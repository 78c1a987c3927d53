/** Watches over one agent process: wall clock, silence, flood, spend, disk, and the way out from asking to killing. */
import type { CancelHow } from '../model/ports.ts'
import type { Excess } from './excess.ts'
import type { Output } from './output.ts'

export interface Timings {
  /** How often files and processes are looked at; the end of an own child is seen at once. */
  pollMs: number
  /** How long each stop signal may take before the next. */
  graceMs: number
  /** How long leftovers of a turn get between SIGTERM and SIGKILL. */
  sweepGraceMs: number
  /** How often, at most, growing usage is hinted at. */
  hintMs: number
}

export const defaultTimings: Timings = { pollMs: 100, graceMs: 5_000, sweepGraceMs: 300, hintMs: 1_000 }

/** The process that Looper started, own child or adopted. */
export interface Leader {
  /** To its whole group; does nothing when it is gone. */
  signal(signal: NodeJS.Signals): void
  /** Looked at with every poll; an own child announces its end by `Supervision.exited` instead. */
  isGone(): boolean
}

export type Why = 'exited' | Excess | 'doomed' | 'cancelled'

/** Code and signal are both null when the end was not seen. */
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
  /** On the steady clock. */
  begunAt: number
  timings: Timings
  onProgress(): void
  /** What it printed so far leaves no hope, or no end in sight. */
  isDoomed(): boolean
  isCircling(): boolean
  /** The run has spent more than its limits allow. */
  isOverspent(): boolean
  /** The turns of the run have written more than the disk limit allows. */
  isOverDisk(): boolean
  /** Called once, before the first signal of a turn that exceeded a bound. */
  onExcess?(why: Excess): void
}

/** So much in one poll is on its way to be a flood: look again at once. */
const rushBytes = 16 * 1024 * 1024

/** Polls come so late only when this process was stopped for a while. */
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
    // Not even SIGKILL helped: it is stuck in the kernel, and waiting does not help.
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
    else if (limits.isDoomed()) stop('doomed', 'gracefully')
    else if (limits.isCircling()) end('circling', 'gracefully')
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
    // Silence that nobody listened to is none, and the news of an end that came meanwhile is to be heard before any
    // judgement.
    if (now - due > stoppedMs) grewAt += now - due
    else judge(now)
    if (closed) return
    due = now + (grown > rushBytes ? 1 : timings.pollMs)
    pollTimer = setTimeout(poll, due - now)
  }
  pollTimer = setTimeout(poll, timings.pollMs)
  return { over, exited, stop, close }
}

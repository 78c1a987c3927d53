/** The terminal and the process as the command line sees them, so that no command touches a global. */
import type { Readable } from 'node:stream'
import { isatty } from 'node:tty'

export interface Sink {
  write(text: string | Uint8Array): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
}

export interface Io {
  stdout: Sink
  stderr: Sink
  stdin: Readable & { isTTY?: boolean }
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  /** Whether stdout is a terminal. */
  isTTY: boolean
  /** Width of the terminal now: people resize it. */
  readonly columns: number
  /** ISO time. */
  now(): string
  /** Calls `tick` again and again without keeping the process alive; returns how to stop. */
  every(ms: number, tick: () => void): () => void
  /** While a handler is on, the signal does not end the process; returns how to take it off. */
  onSignal(signal: 'SIGINT' | 'SIGTERM', handler: () => void): () => void
}

export const processIo = (): Io => ({
  stdout: process.stdout,
  stderr: process.stderr,
  // A getter, because opening stdin costs time that most commands need not spend.
  get stdin() { return process.stdin },
  env: process.env,
  cwd: process.cwd(),
  isTTY: isatty(1),
  get columns() { return process.stdout.columns ?? 80 },
  now: () => new Date().toISOString(),
  every(ms, tick) {
    const timer = setInterval(tick, ms)
    timer.unref()
    return () => clearInterval(timer)
  },
  onSignal(signal, handler) {
    process.on(signal, handler)
    return () => void process.off(signal, handler)
  },
})

/** The terminal and the process as the command line sees them, so that no command touches a global. */
import { fstatSync, writeSync } from 'node:fs'
import type { Readable } from 'node:stream'

export interface Sink {
  write(text: string | Uint8Array): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
}

export interface Io {
  stdout: Sink
  stderr: Sink
  stdin: Readable & { isTTY?: boolean; setRawMode?: (isRaw: boolean) => unknown }
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  /** Whether stdout is a terminal. */
  isTTY: boolean
  /** The current width of the terminal, which the user may resize. */
  readonly columns: number
  /** ISO time. */
  now(): string
  /** How many minutes the local clocks are ahead of UTC at an ISO time. */
  zone(iso: string): number
  /** Calls `tick` repeatedly without keeping the process alive; returns a function that stops it. */
  every(ms: number, tick: () => void): () => void
  /** While a handler is registered, the signal does not end the process; returns a function that removes it. */
  onSignal(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'SIGQUIT', handler: () => void): () => void
}

/**
 * Writes directly to the file descriptor. Falls back to Node's stream, which is slow to load, when a write would block.
 */
function directSink(file: number, open: () => NodeJS.WriteStream): Sink {
  let stream: NodeJS.WriteStream | null = null
  let onError: (error: Error) => void = () => {}
  const fallBack = (rest: Uint8Array): void => {
    stream = open()
    stream.on('error', onError)
    stream.write(rest)
  }
  return {
    on: (_event, listener) => {
      onError = listener
    },
    write(text) {
      const bytes = typeof text === 'string' ? Buffer.from(text) : text
      if (stream !== null) return stream.write(bytes)
      for (let done = 0; done < bytes.length;) {
        try {
          done += writeSync(file, bytes, done)
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return fallBack(bytes.subarray(done))
          return onError(error as Error)
        }
      }
    },
  }
}

export const processIo = (): Io => ({
  stdout: directSink(1, () => process.stdout),
  // Getters, because opening a stream takes time and most commands do not need it.
  get stderr() {
    return process.stderr
  },
  get stdin() {
    return process.stdin
  },
  env: process.env,
  cwd: process.cwd(),
  isTTY: fstatSync(1).isCharacterDevice() && process.stdout.isTTY,
  get columns() {
    return process.stdout.columns ?? 80
  },
  now: () => new Date().toISOString(),
  zone: (iso) => -new Date(iso).getTimezoneOffset() || 0,
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

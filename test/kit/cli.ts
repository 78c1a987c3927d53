/** Calls the command line with streams a test can read. */
import { PassThrough, Readable } from 'node:stream'
import type { Played } from './play.ts'
import type { Io } from '../../src/surfaces/cli/io.ts'
import { runCli } from '../../src/surfaces/cli/program.ts'
import { memoryApp, memoryHost, type MemoryApp, type MemoryOptions } from './memory-app.ts'
import { completedRun } from './runs.ts'

export interface Terminal extends Io {
  /** What the process would do on a signal; false without a handler. */
  send(signal: 'SIGINT' | 'SIGTERM'): boolean
  tick(): void
  text(stream: 'stdout' | 'stderr'): string
}

export interface TerminalOptions {
  tty?: boolean
  columns?: number
  stdin?: string | Iterable<string>
  env?: Record<string, string>
  cwd?: string
  /** Minutes ahead of UTC. */
  zone?: number
}

export function terminal({
  tty = false,
  columns = 80,
  stdin = '',
  env = {},
  cwd = '/nowhere',
  zone = 0,
}: TerminalOptions = {}): Terminal {
  const streams = { stdout: new PassThrough(), stderr: new PassThrough() }
  const texts = { stdout: '', stderr: '' }
  streams.stdout.on('data', (chunk: Buffer) => {
    texts.stdout += chunk.toString()
  })
  streams.stderr.on('data', (chunk: Buffer) => {
    texts.stderr += chunk.toString()
  })
  const handlers = new Map<string, Set<() => void>>([
    ['SIGINT', new Set()],
    ['SIGTERM', new Set()],
  ])
  const ticks = new Set<() => void>()
  return {
    ...streams,
    env,
    cwd,
    isTTY: tty,
    columns,
    stdin: Object.assign(Readable.from(typeof stdin === 'string' ? [Buffer.from(stdin)] : stdin), { isTTY: tty }),
    now: () => '2026-01-01T01:00:00.000Z',
    zone: () => zone,
    every(_, tick) {
      ticks.add(tick)
      return () => void ticks.delete(tick)
    },
    onSignal(signal, handler) {
      handlers.get(signal)?.add(handler)
      return () => void handlers.get(signal)?.delete(handler)
    },
    send(signal) {
      const waiting = [...(handlers.get(signal) ?? [])]
      for (const handler of waiting) handler()
      return waiting.length > 0
    },
    tick() {
      for (const tick of ticks) tick()
    },
    text: (stream) => texts[stream],
  }
}

export interface Called {
  code: number
  stdout: string
  stderr: string
  app: MemoryApp | null
}

export async function call(
  argv: string[],
  options: MemoryOptions & { played?: Played; io?: Terminal } = {},
): Promise<Called> {
  const io = options.io ?? terminal()
  let app: MemoryApp | null = null
  const inside = (io.env['LOOPER_INSIDE'] ?? '') !== ''
  const appAt = (cwd: string): MemoryApp => (app = memoryApp(options.played ?? completedRun(), options, cwd))
  const code = await runCli(argv, io, memoryHost(appAt, { inside, ...options }))
  await new Promise((resolve) => setImmediate(resolve))
  return { code, stdout: io.text('stdout'), stderr: io.text('stderr'), app }
}

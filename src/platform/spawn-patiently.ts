/**
 * Starts processes on a machine that is short of descriptors, processes or memory: tries again, and says so when that
 * did not help.
 */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { LooperError } from '../model/error.ts'
import { errnoOf } from './files.ts'

/** What the system is out of. */
const scarce: Readonly<Record<string, string>> = {
  EMFILE: 'too many open files',
  ENFILE: 'too many open files on this machine',
  EAGAIN: 'too many processes',
  ENOMEM: 'not enough memory',
}

/** About three seconds in all: a peak passes, a limit that is too low does not. */
const waitsMs = [20, 50, 100, 200, 400, 800, 1_600] as const

/**
 * Resolves with a child that runs. Rejects with ENVIRONMENT_RESOURCES when the machine stays short, and with what
 * `start` meets otherwise. `mayWait` is asked before each further try.
 */
export async function spawnPatiently<T extends ChildProcess>(
  start: () => T,
  mayWait: () => boolean = () => true,
): Promise<T> {
  for (const waitMs of [...waitsMs, null]) {
    // Nothing is awaited before a child that runs is handed on: its events must not come too early.
    const tried = tryToStart(start)
    if (!(tried instanceof Promise)) return tried
    const error = await tried
    const what = scarceIn(error)
    if (what === null) throw error
    if (waitMs === null || !mayWait()) throw resourcesError(error, what)
    await sleep(waitMs)
  }
  throw new LooperError('BUG_INVARIANT', 'the loop above always returns')
}

/** What of the machine's resources the error is about; null for any other error. */
export const scarceIn = (error: unknown): string | null => scarce[errnoOf(error) ?? ''] ?? null

export const resourcesError = (cause: unknown, what: string): LooperError =>
  new LooperError('ENVIRONMENT_RESOURCES', `A process could not be started: ${what}.`, {
    cause,
    details: { errno: errnoOf(cause) },
  })

/** Some failures are thrown, others come as an event; then its streams may be missing, or broken. */
function tryToStart<T extends ChildProcess>(start: () => T): T | Promise<unknown> {
  try {
    const child = start()
    if (child.pid !== undefined) return child
    const streams: readonly unknown[] = Array.isArray(child.stdio) ? child.stdio : []
    for (const stream of streams) if (isStream(stream)) stream.on('error', () => {}).destroy()
    return once(child, 'error').then(([error]: unknown[]) => error)
  } catch (error) {
    return Promise.resolve(error)
  }
}

const isStream = (value: unknown): value is NodeJS.ReadableStream & { destroy(): void } =>
  typeof value === 'object' && value !== null && 'destroy' in value && 'on' in value

/**
 * Starts processes on a machine that is short of file descriptors, processes or memory: retries, then reports the
 * shortage.
 */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { LooperError } from '../model/error.ts'
import { errnoOf } from './files.ts'
import { recordSession } from './sessions.ts'

/** Errors that report a resource shortage. */
const scarce: Readonly<Record<string, string>> = {
  EMFILE: 'too many open files',
  ENFILE: 'too many open files on this machine',
  EAGAIN: 'too many processes',
  ENOMEM: 'not enough memory',
}

/** About three seconds in total: enough for a short peak, but a limit that is too low does not pass. */
const waitsMs = [20, 50, 100, 200, 400, 800, 1_600] as const

/**
 * Resolves with a running child. Rejects with ENVIRONMENT_RESOURCES when the shortage lasts, and with the error of
 * `start` otherwise. Calls `mayWait` before each retry.
 */
export async function spawnPatiently<T extends ChildProcess>(
  start: () => T,
  mayWait: () => boolean = () => true,
): Promise<T> {
  for (const waitMs of [...waitsMs, null]) {
    // A running child is returned without an await in between, so that the caller does not miss its events.
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

/** The resource that the error is about; null for any other error. */
export const scarceIn = (error: unknown): string | null => scarce[errnoOf(error) ?? ''] ?? null

export const resourcesError = (cause: unknown, what: string): LooperError =>
  new LooperError('ENVIRONMENT_RESOURCES', `A process could not be started: ${what}.`, {
    cause,
    details: { errno: errnoOf(cause) },
  })

/** Node throws some failures and emits others as an event. In the second case the streams may be missing or broken. */
function tryToStart<T extends ChildProcess>(start: () => T): T | Promise<unknown> {
  try {
    const child = start()
    if (child.pid !== undefined) return recordSession(child)
    const streams: readonly unknown[] = Array.isArray(child.stdio) ? child.stdio : []
    for (const stream of streams) if (isStream(stream)) stream.on('error', () => {}).destroy()
    return once(child, 'error').then(([error]: unknown[]) => error)
  } catch (error) {
    return Promise.resolve(error)
  }
}

const isStream = (value: unknown): value is NodeJS.ReadableStream & { destroy(): void } =>
  typeof value === 'object' && value !== null && 'destroy' in value && 'on' in value

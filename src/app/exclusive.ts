/** One live run for each backlog and each session: whoever comes second is told who was first. */
import { createHash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { LooperError } from '../model/error.ts'
import { writeAtomic } from '../platform/files.ts'
import { acquireLock, type Lock } from '../platform/lock.ts'
import { realPath } from '../platform/real-path.ts'
import { isLive } from './read-run.ts'
import { runFolder } from './run-folder.ts'
import { stopRun } from './sessions.ts'

/** `what` is how people call it: `the backlog to-do.json`, `the session "auth"`. */
export interface Exclusive {
  what: string
  key: string
}

export const backlogExclusive = (root: string, path: string): Exclusive =>
  ({ what: `the backlog ${path}`, key: `backlog:${realPath(join(root, path))}` })
export const sessionExclusive = (root: string, name: string): Exclusive =>
  ({ what: `the session "${name}"`, key: `session:${root}:${name}` })

export interface Holding {
  /** Tells others who has it. */
  tell(run: string): Promise<void>
  release(): Promise<void>
}

/** All or none. Throws LIMIT_LOCKED with the name of the run that has one of them. */
export async function hold(root: string, wanted: readonly Exclusive[]): Promise<Holding> {
  const locks: Lock[] = []
  const release = async (): Promise<void> => {
    for (const lock of locks.splice(0)) await lock.release()
  }
  for (const each of wanted) {
    const lock = await acquireLock(each.key)
    if (lock === null) {
      await release()
      throw await taken(root, each)
    }
    locks.push(lock)
  }
  return {
    release,
    async tell(run) {
      await mkdir(notesFolder(root), { recursive: true })
      for (const { key } of wanted) await writeAtomic(noteOf(root, key), `${JSON.stringify({ run, pid: process.pid })}\n`, { mode: 0o600 })
    },
  }
}

/** The live runs that have one of them, as far as they have said so. */
export async function holders(root: string, wanted: readonly Exclusive[]): Promise<string[]> {
  const runs = await Promise.all(wanted.map(({ key }) => holderOf(root, key)))
  const live = await Promise.all(runs.map(async (run) => (run !== null && (await isLive(runFolder(root, run))) ? [run] : [])))
  return [...new Set(live.flat())]
}

const letGoMs = 10_000

/** The same as `hold`, but whoever has it is stopped. */
export async function wrest(root: string, wanted: readonly Exclusive[]): Promise<Holding> {
  const until = performance.now() + letGoMs
  for (;;) {
    try {
      return await hold(root, wanted)
    } catch (error) {
      const run = error instanceof LooperError && error.code === 'LIMIT_LOCKED' ? error.details['run'] : null
      if (typeof run !== 'string') throw error
      // It lets go of what it had a moment after it has come to rest.
      if (await isLive(runFolder(root, run))) await stopRun(root, run)
      else if (performance.now() < until) await sleep(50)
      else throw error
    }
  }
}

const notesFolder = (root: string): string => join(root, '.looper', 'runs', '.holders')
const noteOf = (root: string, key: string): string =>
  join(notesFolder(root), `${createHash('sha256').update(key).digest('hex').slice(0, 16)}.json`)

const patienceMs = 3_000

/** The holder may be so new that it has not said its name yet. */
async function taken(root: string, { what, key }: Exclusive): Promise<LooperError> {
  const until = performance.now() + patienceMs
  let run = await holderOf(root, key)
  while (run === null && performance.now() < until) {
    await sleep(50)
    run = await holderOf(root, key)
  }
  if (run === null) return new LooperError('LIMIT_LOCKED', `Another process has ${what}.`)
  const hint = `\`looper status ${run}\` shows it; \`looper stop ${run}\` stops it.`
  return new LooperError('LIMIT_LOCKED', `The run ${run} has ${what}.`, { hint, details: { run } })
}

/** A note of a process that is gone says nothing of who holds it now. */
async function holderOf(root: string, key: string): Promise<string | null> {
  try {
    const { run, pid } = JSON.parse(await readFile(noteOf(root, key), 'utf8')) as { run: unknown; pid: unknown }
    if (typeof run !== 'string' || typeof pid !== 'number') return null
    process.kill(pid, 0)
    return run
  } catch {
    return null
  }
}

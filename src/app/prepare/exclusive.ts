/**
 * Ensures that each backlog and each session has at most one live run; a second run is refused with the name of the
 * first.
 */
import { createHash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { basename, isAbsolute, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { LooperError } from '../../model/error.ts'
import { writeAtomic } from '../../platform/files.ts'
import { askHolder } from '../../platform/lock-client.ts'
import { acquireLock, type Lock } from '../../platform/lock.ts'
import { realPath } from '../../platform/real-path.ts'
import { shellWord } from '../../model/shell-word.ts'
import { runOf, runsOf } from '../runs/runs.ts'
import { stopRun } from './named-sessions.ts'

/** `what` is the name in messages: `the backlog to-do.json`, `the session "auth"`. */
export interface Exclusive {
  what: string
  key: string
}

export const backlogExclusive = (root: string, path: string): Exclusive => ({
  what: `the backlog ${path}`,
  key: `backlog:${realPath(join(root, path))}`,
})
export const sessionExclusive = (root: string, name: string): Exclusive => ({
  what: `the session "${name}"`,
  key: `session:${root}:${name}`,
})

export interface Holding {
  /** Publishes which run holds the locks. */
  publish(run: string): Promise<void>
  release(): Promise<void>
}

/** A run and its checkout: runs of several checkouts can use the same backlog. */
interface Holder {
  run: string
  root: string
}

/** Acquires all locks or none. Throws LIMIT_LOCKED with the name of the run that holds one of them. */
export async function acquire(root: string, wanted: readonly Exclusive[]): Promise<Holding> {
  const locks: Lock[] = []
  const release = async (): Promise<void> => {
    for (const lock of locks.splice(0)) await lock.release()
  }
  for (const each of wanted) {
    const lock = await acquireLock(each.key).catch(async (error: unknown) => {
      await release()
      throw error
    })
    if (lock === null) {
      await release()
      throw await taken(root, each)
    }
    locks.push(lock)
  }
  return {
    release,
    async publish(run) {
      for (const lock of locks) lock.describeHolder(JSON.stringify({ run, root }))
      await mkdir(notesFolder(root), { recursive: true })
      for (const { key } of wanted)
        await writeAtomic(noteOf(root, key), `${JSON.stringify({ run, pid: process.pid })}\n`, { mode: 0o600 })
    },
  }
}

/** The live runs that hold one of the locks, as far as they have published it. */
export async function holders(root: string, wanted: readonly Exclusive[]): Promise<string[]> {
  const found = await Promise.all(wanted.map(({ key }) => holderOf(root, key)))
  const live = await Promise.all(
    found.map(async (holder) => (holder && (await isLive(holder)) ? [nameIn(root, holder)] : [])),
  )
  return [...new Set(live.flat())]
}

const isLive = ({ root, run }: Holder): Promise<boolean> => runOf(root, run).lock.isHeld()
const nameIn = (here: string, { root, run }: Holder): string => (root === here ? run : `${run} of ${root}`)

const letGoMs = 10_000

/** Like `acquire`, but stops the run that holds a lock. */
export async function takeOver(root: string, wanted: readonly Exclusive[]): Promise<Holding> {
  let until = performance.now() + letGoMs
  for (;;) {
    try {
      return await acquire(root, wanted)
    } catch (error) {
      const holder = error instanceof LooperError && error.code === 'LIMIT_LOCKED' ? asHolder(error.details) : null
      if (holder === null) throw error
      // A stopped run releases its locks shortly after its process stops being live.
      if (await isLive(holder)) {
        await stopRun(holder.root, holder.run)
        until = performance.now() + letGoMs
      } else if (performance.now() < until) await sleep(50)
      else throw error
    }
  }
}

const notesFolder = (root: string): string => join(runsOf(root).folder, '.holders')
const noteOf = (root: string, key: string): string =>
  join(notesFolder(root), `${createHash('sha256').update(key).digest('hex').slice(0, 16)}.json`)

const patienceMs = 15_000

/** Waits when the holder is unknown: on a busy machine, a new run takes seconds until it has published its name. */
async function taken(root: string, { what, key }: Exclusive): Promise<LooperError> {
  const until = performance.now() + patienceMs
  let holder = await holderOf(root, key)
  while (holder === null && performance.now() < until) {
    await sleep(50)
    holder = await holderOf(root, key)
  }
  if (holder === null) return new LooperError('LIMIT_LOCKED', `Another process holds ${what}.`)
  const words = holder.root === root ? '' : `-C ${shellWord(holder.root)} `
  const hint = `\`looper ${words}status ${holder.run}\` shows it; \`looper ${words}stop ${holder.run}\` stops it.`
  return new LooperError('LIMIT_LOCKED', `The run ${nameIn(root, holder)} holds ${what}.`, {
    hint,
    details: { ...holder },
  })
}

/**
 * Reads the file in this checkout first, because it also works when the holder is too busy to answer. For a holder in
 * another checkout, asks its process.
 */
const holderOf = async (root: string, key: string): Promise<Holder | null> =>
  (await readRecord(root, key)) ?? (await asked(key))

/** Null when the process that wrote the file is gone: the file then says nothing about the current holder. */
async function readRecord(root: string, key: string): Promise<Holder | null> {
  try {
    const { run, pid } = JSON.parse(await readFile(noteOf(root, key), 'utf8')) as { run: unknown; pid: unknown }
    if (typeof run !== 'string' || typeof pid !== 'number') return null
    process.kill(pid, 0)
    return { run, root }
  } catch {
    return null
  }
}

async function asked(key: string): Promise<Holder | null> {
  try {
    return asHolder(JSON.parse(await askHolder(key)))
  } catch {
    return null
  }
}

function asHolder(value: unknown): Holder | null {
  const { run, root } = Object(value) as Partial<Record<keyof Holder, unknown>>
  return typeof run === 'string' && typeof root === 'string' && isAbsolute(root) && basename(run) === run
    ? { run, root }
    : null
}

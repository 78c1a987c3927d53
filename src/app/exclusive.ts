/** One live run for each backlog and each session: whoever comes second is told who was first. */
import { createHash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { basename, isAbsolute, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { LooperError } from '../model/error.ts'
import { writeAtomic } from '../platform/files.ts'
import { askHolder } from '../platform/lock-client.ts'
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

export const backlogExclusive = (root: string, path: string): Exclusive => ({
  what: `the backlog ${path}`,
  key: `backlog:${realPath(join(root, path))}`,
})
export const sessionExclusive = (root: string, name: string): Exclusive => ({
  what: `the session "${name}"`,
  key: `session:${root}:${name}`,
})

export interface Holding {
  /** Tells others who has it. */
  tell(run: string): Promise<void>
  release(): Promise<void>
}

/** A run, and the checkout that it belongs to: a backlog may be worked on from several. */
interface Holder {
  run: string
  root: string
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
      for (const lock of locks) lock.tell(JSON.stringify({ run, root }))
      await mkdir(notesFolder(root), { recursive: true })
      for (const { key } of wanted)
        await writeAtomic(noteOf(root, key), `${JSON.stringify({ run, pid: process.pid })}\n`, { mode: 0o600 })
    },
  }
}

/** The live runs that have one of them, as far as they have said so. */
export async function holders(root: string, wanted: readonly Exclusive[]): Promise<string[]> {
  const found = await Promise.all(wanted.map(({ key }) => holderOf(root, key)))
  const live = await Promise.all(
    found.map(async (holder) => (holder && (await isLive(folderOf(holder))) ? [nameIn(root, holder)] : [])),
  )
  return [...new Set(live.flat())]
}

const folderOf = ({ root, run }: Holder): string => runFolder(root, run)
const nameIn = (here: string, { root, run }: Holder): string => (root === here ? run : `${run} of ${root}`)

const letGoMs = 10_000

/** The same as `hold`, but whoever has it is stopped. */
export async function wrest(root: string, wanted: readonly Exclusive[]): Promise<Holding> {
  const until = performance.now() + letGoMs
  for (;;) {
    try {
      return await hold(root, wanted)
    } catch (error) {
      const holder = error instanceof LooperError && error.code === 'LIMIT_LOCKED' ? asHolder(error.details) : null
      if (holder === null) throw error
      // It lets go of what it had a moment after it has come to rest.
      if (await isLive(folderOf(holder))) await stopRun(holder.root, holder.run)
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
  let holder = await holderOf(root, key)
  while (holder === null && performance.now() < until) {
    await sleep(50)
    holder = await holderOf(root, key)
  }
  if (holder === null) return new LooperError('LIMIT_LOCKED', `Another process has ${what}.`)
  const words = holder.root === root ? '' : `-C ${asWord(holder.root)} `
  const hint = `\`looper ${words}status ${holder.run}\` shows it; \`looper ${words}stop ${holder.run}\` stops it.`
  return new LooperError('LIMIT_LOCKED', `The run ${nameIn(root, holder)} has ${what}.`, {
    hint,
    details: { ...holder },
  })
}

/** As a shell reads it. */
const asWord = (path: string): string => (/^[\w./@+-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`)

/**
 * In the same checkout a note says it, also of a process that is too busy to answer; whoever comes from another one
 * asks.
 */
const holderOf = async (root: string, key: string): Promise<Holder | null> =>
  (await noted(root, key)) ?? (await asked(key))

/** A note of a process that is gone says nothing of who holds it now. */
async function noted(root: string, key: string): Promise<Holder | null> {
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

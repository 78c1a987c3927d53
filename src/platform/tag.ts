/**
 * Tags a process and everything that it starts by a resource limit: the largest file that it may write, set to a number
 * that no file reaches and that belongs to one mark of one run. A limit is inherited whatever a process does with its
 * environment, parent, session and folder, and only root can raise it again. Linux only: other systems do not show it.
 */
import { createHash } from 'node:crypto'
import { keyOf } from './mark.ts'
import { isOtherOwn, isProcess, killFound, pidsFrom, textOf } from './proc.ts'
import { startError } from './sandbox/program-paths.ts'

type Argv = readonly [string, ...string[]]

/** `ulimit -f` counts in blocks. */
const blockBytes = 512n
const unlimitedBlocks = 2n ** 52n
/** Each run has a range of tags, and each of its marks one tag in there. */
const marksOfRun = 2n ** 20n
const runs = 2n ** 24n
const spread = runs * marksOfRun
/** A person who limits the size of files means it: such a limit is left alone. */
const leastBlocks = 2n ** 46n

const limitLine = /^Max file size +(\S+) +(\S+)/m

/** The tag of a mark, in blocks, below a limit in bytes; null when there is no room for tags. */
export function tagBelow(limit: string, mark: string): bigint | null {
  const ceiling = ceilingOf(limit)
  if (ceiling === null) return null
  return ceiling - 1n - rankOf(keyOf(mark)) * marksOfRun - (numberOf(mark) % marksOfRun)
}

function ceilingOf(limit: string): bigint | null {
  const ceiling = limit === 'unlimited' ? unlimitedBlocks : BigInt(limit) / blockBytes
  return ceiling < leastBlocks ? null : ceiling
}

/** The place of a run's range below the limit. */
const rankOf = (key: string): bigint => numberOf(key) % runs

const numberOf = (text: string): bigint => createHash('sha256').update(text).digest().readBigUInt64BE()

let ownLimit: string | null | undefined

/** The limit of this process; null where there are no tags. */
function limitOfSelf(): string | null {
  if (ownLimit === undefined) ownLimit = process.platform === 'linux' ? readOwnLimit() : null
  return ownLimit
}

/** Null where it cannot be read, or is not one number. */
function readOwnLimit(): string | null {
  const [, soft, hard] = limitLine.exec(limitsOf('self')) ?? []
  return soft !== undefined && soft === hard ? soft : null
}

function tagOf(mark: string): bigint | null {
  const limit = limitOfSelf()
  return limit === null ? null : tagBelow(limit, mark)
}

/** Whether this process was started with the tag of any mark. No person sets a limit of this size. */
export function isTagged(): boolean {
  const [, , hard = ''] = limitLine.exec(limitsOf('self')) ?? []
  if (!/^\d+$/.test(hard)) return false
  const blocks = BigInt(hard) / blockBytes
  return blocks < unlimitedBlocks && blocks >= unlimitedBlocks - 1n - spread
}

const script = 'ulimit -f "$0" 2>/dev/null; exec "$@"'

/**
 * The command line that starts the program with the tag of the mark; the same one where there are no tags. Throws
 * ENOENT or EACCES as `spawn` does where the program cannot be started.
 */
export function tagCommand(argv: Argv, mark: string, cwd: string, env: NodeJS.ProcessEnv): [string, ...string[]] {
  const [tag, error] = [tagOf(mark), startError(argv[0], cwd, env['PATH'] ?? '')]
  if (error !== null) throw error
  return tag === null ? [...argv] : ['/bin/sh', '-c', script, String(tag), ...argv]
}

/** The first process that was given the tag, and how long ago: the processes of a short life are found quickly. */
export interface First {
  pid: number
  ageMs: number
}

/** Processes of this user that have the tag of the mark. */
export function findTagged(mark: string, first?: First): number[] {
  const tag = tagOf(mark)
  return tag === null ? [] : findLimited(pidsFrom(first?.pid ?? 1, first?.ageMs ?? Infinity), (found) => found === tag)
}

/** Processes of this user that have the tag of any mark of the run, except those with the tag of a kept mark. */
export function findTaggedOfRun(key: string, kept: ReadonlySet<string> = new Set()): number[] {
  const ceiling = ceilingOf(limitOfSelf() ?? '0')
  if (ceiling === null) return []
  const most = ceiling - 1n - rankOf(key) * marksOfRun
  const keptTags = new Set([...kept].map(tagOf))
  const isOfRun = (tag: bigint): boolean => tag <= most && tag > most - marksOfRun
  return findLimited(pidsFrom(1, Infinity), (tag) => isOfRun(tag) && !keptTags.has(tag))
}

function findLimited(pids: readonly number[], isWanted: (tag: bigint) => boolean): number[] {
  const hasTag = (pid: number): boolean => {
    const hard = limitLine.exec(limitsOf(pid))?.[2] ?? ''
    return /^\d+$/.test(hard) && isWanted(BigInt(hard) / blockBytes)
  }
  return pids.filter((pid) => isOtherOwn(pid) && hasTag(pid) && isRunning(pid))
}

/** Ends them at once. Returns how many there were. */
export const endTagged = (mark: string, first?: First): number => killFound(() => findTagged(mark, first))

/** Ends those of the run at once, except those with the tag of a kept mark. Returns how many there were. */
export const endTaggedOfRun = (key: string, kept?: ReadonlySet<string>): number =>
  killFound(() => findTaggedOfRun(key, kept))

const isRunning = (pid: number): boolean => isProcess(pid) && !/\nState:\t[ZX]/.test(textOf(`/proc/${pid}/status`))

const limitsOf = (pid: number | 'self'): string => textOf(`/proc/${pid}/limits`)

/**
 * Tags a process and its descendants with a resource limit: a maximum file size that no file reaches and that is unique
 * to one mark of one run. A limit is inherited whatever a process does with its environment, parent, session and
 * working directory, and only root can raise it. Linux only: other systems do not show the limits of a process.
 */
import { createHash } from 'node:crypto'
import { keyOf } from './mark.ts'
import { pidsFrom, processIds, type First } from './pids.ts'
import { isOtherOwn, isProcess, killFound, textOf } from './proc.ts'
import { startError } from './sandbox/program-paths.ts'

type Argv = readonly [string, ...string[]]

/** `ulimit -f` counts in blocks. */
const blockBytes = 512n
const unlimitedBlocks = 2n ** 52n
/** Each run has a range of tags, and each of its marks one tag in there. */
const marksOfRun = 2n ** 20n
const runs = 2n ** 24n
const spread = runs * marksOfRun
/** A lower limit was set by the user on purpose, so it is not replaced. */
const leastBlocks = 2n ** 46n

const limitLine = /^Max file size +(\S+) +(\S+)/m

/** The tag of a mark, in blocks, below a limit in bytes; null when the limit leaves no room for tags. */
export function tagBelow(limit: string, mark: string): bigint | null {
  const ceiling = ceilingOf(limit)
  if (ceiling === null) return null
  return ceiling - 1n - rankOf(keyOf(mark)) * marksOfRun - (numberOf(mark) % marksOfRun)
}

function ceilingOf(limit: string): bigint | null {
  const ceiling = limit === 'unlimited' ? unlimitedBlocks : BigInt(limit) / blockBytes
  return ceiling < leastBlocks ? null : ceiling
}

/** The index of the run's range below the limit. */
const rankOf = (key: string): bigint => numberOf(key) % runs

const numberOf = (text: string): bigint => createHash('sha256').update(text).digest().readBigUInt64BE()

let ownLimit: string | null | undefined

/** The file size limit of this process; null when tags are not available. */
function limitOfSelf(): string | null {
  if (ownLimit === undefined) ownLimit = process.platform === 'linux' ? readOwnLimit() : null
  return ownLimit
}

/** Null when the limit cannot be read or the soft and hard limits differ. */
function readOwnLimit(): string | null {
  const [, soft, hard] = limitLine.exec(limitsOf('self')) ?? []
  return soft !== undefined && soft === hard ? soft : null
}

function tagOf(mark: string): bigint | null {
  const limit = limitOfSelf()
  return limit === null ? null : tagBelow(limit, mark)
}

/** Whether this process was started with the tag of any mark. Users do not set limits in this range. */
export function isTagged(): boolean {
  const [, , hard = ''] = limitLine.exec(limitsOf('self')) ?? []
  if (!/^\d+$/.test(hard)) return false
  const blocks = BigInt(hard) / blockBytes
  return blocks < unlimitedBlocks && blocks >= unlimitedBlocks - 1n - spread
}

const script = 'ulimit -f "$0" 2>/dev/null; exec "$@"'

/**
 * The command line that starts the program with the tag of the mark, or `argv` itself when tags are not available.
 * Throws ENOENT or EACCES like `spawn` when the program cannot be started.
 */
export function tagCommand(argv: Argv, mark: string, cwd: string, env: NodeJS.ProcessEnv): [string, ...string[]] {
  const [tag, error] = [tagOf(mark), startError(argv[0], cwd, env['PATH'] ?? '')]
  if (error !== null) throw error
  return tag === null ? [...argv] : ['/bin/sh', '-c', script, String(tag), ...argv]
}

/** Processes of this user that have the tag of the mark. `first`: the lowest pid that can have it. */
export function findTagged(mark: string, first?: First): number[] {
  const tag = tagOf(mark)
  return tag === null ? [] : findLimited(first ? pidsFrom(first) : processIds(), (found) => found === tag)
}

/** Processes of this user that have the tag of any mark of the run, except those with the tag of a kept mark. */
export function findTaggedOfRun(key: string, kept: ReadonlySet<string> = new Set()): number[] {
  const ceiling = ceilingOf(limitOfSelf() ?? '0')
  if (ceiling === null) return []
  const most = ceiling - 1n - rankOf(key) * marksOfRun
  const keptTags = new Set([...kept].map(tagOf))
  const isOfRun = (tag: bigint): boolean => tag <= most && tag > most - marksOfRun
  return findLimited(processIds(), (tag) => isOfRun(tag) && !keptTags.has(tag))
}

function findLimited(pids: readonly number[], isWanted: (tag: bigint) => boolean): number[] {
  const hasTag = (pid: number): boolean => {
    const hard = limitLine.exec(limitsOf(pid))?.[2] ?? ''
    return /^\d+$/.test(hard) && isWanted(BigInt(hard) / blockBytes)
  }
  return pids.filter((pid) => isOtherOwn(pid) && hasTag(pid) && isRunning(pid))
}

/** Kills the processes with the tag of the mark. Resolves with their number. */
export const endTagged = (mark: string, first?: First): Promise<number> => killFound(() => findTagged(mark, first))

/** Kills the tagged processes of the run, except those with the tag of a kept mark. Resolves with their number. */
export const endTaggedOfRun = (key: string, kept?: ReadonlySet<string>): Promise<number> =>
  killFound(() => findTaggedOfRun(key, kept))

const isRunning = (pid: number): boolean => isProcess(pid) && !/\nState:\t[ZX]/.test(textOf(`/proc/${pid}/status`))

const limitsOf = (pid: number | 'self'): string => textOf(`/proc/${pid}/limits`)

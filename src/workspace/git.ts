/** Runs git so that neither the caller's environment nor the user's configuration can change what a command means. */
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { LooperError, type ErrorCode } from '../model/error.ts'
import { runProcess, type ProcessRequest, type ProcessResult } from '../platform/run-process.ts'
import { plain } from '../views/plain-text.ts'
import type { Place } from './place.ts'

/** No hooks, no signing, no daemons, no housekeeping, and nothing that makes git refuse or hide a change. */
const settings = [
  'core.hooksPath=/dev/null', 'commit.gpgSign=false', 'tag.gpgSign=false', 'core.fsmonitor=false', 'gc.auto=0', 'maintenance.auto=false',
  'core.safecrlf=false', 'core.ignoreStat=false', 'core.splitIndex=false', 'core.quotePath=false', 'submodule.recurse=false',
  'i18n.commitEncoding=UTF-8',
]

/** Variables that would point git at another repository, index or way of reading paths. */
const inherited = [
  'GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_COMMON_DIR', 'GIT_OBJECT_DIRECTORY', 'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_NAMESPACE', 'GIT_PREFIX', 'GIT_GRAFT_FILE', 'GIT_SHALLOW_FILE', 'GIT_REPLACE_REF_BASE', 'GIT_NO_REPLACE_OBJECTS',
  'GIT_IMPLICIT_WORK_TREE', 'GIT_CONFIG', 'GIT_CONFIG_PARAMETERS', 'GIT_EXTERNAL_DIFF', 'GIT_DIFF_OPTS', 'GIT_LITERAL_PATHSPECS',
  'GIT_GLOB_PATHSPECS', 'GIT_NOGLOB_PATHSPECS', 'GIT_ICASE_PATHSPECS', 'GIT_QUARANTINE_PATH', 'GIT_INTERNAL_SUPER_PREFIX',
  'GIT_TRACE', 'GIT_TRACE2', 'GIT_TRACE_SETUP', 'GIT_PAGER',
]

const lockWaitsMs = [20, 60, 150, 300, 600]
const lockHeld = /Unable to create '(.+\.lock)': File exists/
/** Another process is just adding a work tree of its own. */
const halfMade = /failed to read .+\/worktrees\/[^/]+\/\w+/

export interface GitCall extends Pick<ProcessRequest, 'mark' | 'input' | 'signal' | 'onOutput' | 'timeoutMs' | 'encoding'> {
  /** Where git finds its repository by itself … */
  cwd?: string
  /** … or which one it is told to use, so that a broken `.git` can never lead it to the repository around it. */
  place?: Place
  config?: readonly string[]
  env?: Record<string, string>
}

/** The environment of everything Looper starts in a work tree: the user's, but for what ties git to another place. */
export function cleanEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !inherited.includes(name)))
}

/** Resolves with whatever git answered; rejects only when there is no git to ask. */
export async function tryGit(args: readonly string[], call: GitCall): Promise<ProcessResult> {
  const cwd = call.cwd ?? call.place?.path ?? process.cwd()
  for (const waitMs of [...lockWaitsMs, null]) {
    const result = await runProcess({ ...requestOf(args, call), cwd })
    if (!result.started) throw notStarted(cwd, result)
    if (waitMs === null || result.exitCode === 0 || !(lockHeld.test(result.stderr) || halfMade.test(result.stderr))) return result
    await sleep(waitMs)
  }
  throw new LooperError('BUG_INVARIANT', 'the loop above always returns')
}

/** What git printed, without its last line feed. */
export async function git(args: readonly string[], call: GitCall): Promise<string> {
  const result = await tryGit(args, call)
  if (result.exitCode !== 0) throw gitError(args, result)
  return result.stdout.replace(/\n$/, '')
}

/** The lock file that kept git from working, if that is what did. */
export const heldLock = (result: ProcessResult): string | null => lockHeld.exec(result.stderr)?.[1] ?? null

export function gitError(args: readonly string[], result: ProcessResult): LooperError {
  const lines = result.stderr.split('\n').map((line) => plain(line)).filter((line) => line !== '')
  const silent = result.exitCode === null ? 'it was killed' : `exit code ${result.exitCode}`
  const why = lines.find((line) => /^(fatal|error):/.test(line)) ?? lines[0] ?? silent
  return new LooperError(codeOf(result.stderr), `git ${args[0]}: ${why}`, { details: { args, exitCode: result.exitCode } })
}

function codeOf(stderr: string): ErrorCode {
  if (/No space left on device|Disk quota exceeded/.test(stderr)) return 'ENVIRONMENT_DISK_FULL'
  return /Read-only file system/.test(stderr) ? 'ENVIRONMENT_READ_ONLY' : 'WORKSPACE_GIT'
}

function requestOf(args: readonly string[], call: GitCall): Omit<ProcessRequest, 'cwd'> {
  const { place, config = [], env = {}, mark, input, signal, onOutput, timeoutMs, encoding } = call
  const all = [...settings, ...(place ? [`core.excludesFile=${place.excludes}`] : []), ...config]
  const where = place ? { GIT_DIR: place.gitDir, GIT_WORK_TREE: place.path, GIT_INDEX_FILE: place.index } : {}
  return {
    argv: ['git', ...all.flatMap((setting) => ['-c', setting]), ...args],
    env: { ...cleanEnvironment(), GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C', ...where, ...env },
    mark, input, signal, onOutput, timeoutMs, encoding,
    keepBytes: 256 * 1024 * 1024,
  }
}

function notStarted(cwd: string, result: ProcessResult): LooperError {
  if (!existsSync(cwd)) return new LooperError('WORKSPACE_GIT', `${plain(cwd)} is gone`)
  return new LooperError('ENVIRONMENT_NO_GIT', `git could not be started: ${plain(result.stderr)}`)
}

/**
 * Runs git isolated from the caller's environment and the user's configuration, so that they cannot change what a
 * command does.
 */
import { existsSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { LooperError, type ErrorCode } from '../../model/error.ts'
import { runProcess, type ProcessRequest, type ProcessResult } from '../../platform/run-process.ts'
import { plain } from '../../views/text/plain-text.ts'
import { saysDiskFull } from './full-disk.ts'
import { watchForPipes, type Suspect } from './pipes.ts'
import type { WorkTree } from '../clones/work-tree.ts'
import type { QuickObjects } from './quick-objects.ts'

/** Disables hooks, signing, daemons, housekeeping, and settings that make git refuse or hide a change. */
const settings = [
  'core.hooksPath=/dev/null',
  'commit.gpgSign=false',
  'tag.gpgSign=false',
  'core.fsmonitor=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'core.safecrlf=false',
  'core.ignoreStat=false',
  'core.splitIndex=false',
  'core.quotePath=false',
  'submodule.recurse=false',
  'i18n.commitEncoding=UTF-8',
  'i18n.logOutputEncoding=UTF-8',
]

/** Variables that would point git to another repository or index, or change how it reads paths. */
const inherited = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_COMMON_DIR',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_NAMESPACE',
  'GIT_PREFIX',
  'GIT_GRAFT_FILE',
  'GIT_SHALLOW_FILE',
  'GIT_REPLACE_REF_BASE',
  'GIT_NO_REPLACE_OBJECTS',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_CONFIG',
  'GIT_CONFIG_PARAMETERS',
  'GIT_EXTERNAL_DIFF',
  'GIT_DIFF_OPTS',
  'GIT_LITERAL_PATHSPECS',
  'GIT_GLOB_PATHSPECS',
  'GIT_NOGLOB_PATHSPECS',
  'GIT_ICASE_PATHSPECS',
  'GIT_QUARANTINE_PATH',
  'GIT_INTERNAL_SUPER_PREFIX',
  'GIT_TRACE',
  'GIT_TRACE2',
  'GIT_TRACE_SETUP',
  'GIT_PAGER',
]

const lockWaitsMs = [20, 60, 150, 300, 600]
const lockHeld = /Unable to create '(.+\.lock)': File exists/
/** Git reports this while another process adds a work tree. */
const halfMade = /failed to read .+\/worktrees\/[^/]+\/\w+/

export interface GitCall extends Pick<
  ProcessRequest,
  'mark' | 'input' | 'signal' | 'onOutput' | 'timeoutMs' | 'encoding'
> {
  /** Git finds the repository from this folder. */
  cwd?: string
  /** Git uses exactly this repository, so that a broken `.git` never leads it to a repository above. */
  workTree?: WorkTree
  config?: readonly string[]
  env?: Record<string, string>
  /** A folder where an agent may have planted pipes that block git; default: the work tree of `place`. */
  suspect?: Suspect
  /** Reads and writes objects without starting git where possible. */
  quick?: QuickObjects
}

/**
 * The environment of every process that Looper starts in a work tree: the user's, without variables that point git
 * elsewhere.
 */
export function cleanEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !inherited.includes(name)))
}

/** Resolves with any exit code of git; rejects only when git cannot be started. */
export const tryGit = (args: readonly string[], call: GitCall): Promise<ProcessResult> =>
  patiently(gitCommand(args, call), call)

/**
 * Runs several git commands in one child process, because forking Node is slow. The script is fixed text for `sh`;
 * variable parts are passed as `$1`, `$2` and so on. It is run again when a lock was held, so each command must be
 * idempotent.
 */
export const tryGitScript = (script: string, args: readonly string[], call: GitCall): Promise<ProcessResult> =>
  patiently(scriptOf(script, args, call), call)

async function patiently(request: Omit<ProcessRequest, 'cwd'>, call: GitCall): Promise<ProcessResult> {
  const cwd = call.cwd ?? call.workTree?.path ?? process.cwd()
  for (const waitMs of [...lockWaitsMs, null]) {
    const result = await watched({ ...request, cwd }, call)
    if (!result.started) throw notStarted(cwd, call, result)
    if (waitMs === null || result.exitCode === 0 || !(lockHeld.test(result.stderr) || halfMade.test(result.stderr)))
      return result
    await sleep(waitMs)
  }
  throw new LooperError('BUG_INVARIANT', 'the loop above always returns')
}

async function watched(request: ProcessRequest, { workTree, suspect }: GitCall): Promise<ProcessResult> {
  const where = suspect ?? (workTree ? { folder: workTree.path, isGitDir: false } : null)
  const release = where === null ? null : watchForPipes(where)
  try {
    return await runProcess(request)
  } finally {
    release?.()
  }
}

/** Returns the output of git without its last line feed. */
export async function git(args: readonly string[], call: GitCall): Promise<string> {
  const result = await tryGit(args, call)
  if (result.exitCode !== 0) throw gitError(args, result)
  return result.stdout.replace(/\n$/, '')
}

/** The lock file that made git fail; null when the failure has another reason. */
export const heldLock = (result: ProcessResult): string | null => lockHeld.exec(result.stderr)?.[1] ?? null

export function gitError(args: readonly string[], result: ProcessResult): LooperError {
  const lines = result.stderr
    .split('\n')
    .map((line) => plain(line))
    .filter((line) => line !== '')
  const silent = result.exitCode === null ? 'it was killed' : `exit code ${result.exitCode}`
  const why = lines.find((line) => /^(fatal|error):/.test(line)) ?? lines[0] ?? silent
  return new LooperError(codeOf(result.stderr), `git ${args[0]}: ${why}`, {
    details: { args, exitCode: result.exitCode },
  })
}

function codeOf(stderr: string): ErrorCode {
  if (saysDiskFull(stderr)) return 'ENVIRONMENT_DISK_FULL'
  return /Read-only file system/.test(stderr) ? 'ENVIRONMENT_READ_ONLY' : 'WORKSPACE_GIT'
}

/** The command line and environment to start. */
export function gitCommand(args: readonly string[], call: GitCall): Omit<ProcessRequest, 'cwd'> {
  return { ...surroundings(call), argv: ['git', ...settingsFor(call).flatMap((setting) => ['-c', setting]), ...args] }
}

/** Looper's settings come after GIT_CONFIG_* entries of the user's environment. */
function scriptOf(script: string, args: readonly string[], call: GitCall): Omit<ProcessRequest, 'cwd'> {
  const request = surroundings(call)
  const first = Number(request.env['GIT_CONFIG_COUNT']) || 0
  const all = settingsFor(call).map((setting): [string, string] => {
    const at = setting.indexOf('=')
    return [setting.slice(0, at), setting.slice(at + 1)]
  })
  const named = all.flatMap(([key, value], n) => [
    [`GIT_CONFIG_KEY_${first + n}`, key],
    [`GIT_CONFIG_VALUE_${first + n}`, value],
  ])
  const env = {
    ...request.env,
    GIT_CONFIG_COUNT: String(first + all.length),
    ...(Object.fromEntries(named) as Record<string, string>),
  }
  return { ...request, env, argv: ['/bin/sh', ...sameRights(), '-c', script, 'git', ...args] }
}

/** Without `-p`, a shell resets an effective user id that differs from the real one. */
const sameRights = (): string[] => (process.geteuid?.() === process.getuid?.() ? [] : ['-p'])

const settingsFor = ({ workTree, config = [] }: GitCall): string[] => [
  ...settings,
  ...(workTree ? [`core.excludesFile=${workTree.excludes}`] : []),
  ...config,
]

function surroundings(call: GitCall): Omit<ProcessRequest, 'cwd' | 'argv' | 'env'> & { env: NodeJS.ProcessEnv } {
  const { workTree, env = {}, mark, input, signal, onOutput, timeoutMs, encoding } = call
  const where = workTree
    ? { GIT_DIR: workTree.gitDir, ...workTree.env, GIT_WORK_TREE: workTree.path, GIT_INDEX_FILE: workTree.index }
    : {}
  return {
    env: { ...cleanEnvironment(), GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C', ...where, ...env },
    mark,
    input,
    signal,
    onOutput,
    timeoutMs,
    encoding,
    keepBytes: 256 * 1024 * 1024,
  }
}

function notStarted(cwd: string, { workTree }: GitCall, result: ProcessResult): LooperError {
  if (!existsSync(cwd)) return new LooperError('WORKSPACE_GIT', `${plain(cwd)} is gone`)
  if (workTree && !canEnter(cwd))
    return new LooperError('WORKSPACE_CONTENT', `${plain(cwd)} cannot be entered: permission denied`)
  return new LooperError('ENVIRONMENT_NO_GIT', `git could not be started: ${plain(result.stderr)}`)
}

function canEnter(folder: string): boolean {
  try {
    statSync(`${folder}/.`)
    return true
  } catch {
    return false
  }
}

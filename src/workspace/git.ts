/** Runs git so that neither the caller's environment nor the user's configuration can change what a command means. */
import { existsSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { LooperError, type ErrorCode } from '../model/error.ts'
import { runProcess, type ProcessRequest, type ProcessResult } from '../platform/run-process.ts'
import { plain } from '../views/plain-text.ts'
import { saysDiskFull } from './full-disk.ts'
import { watchForPipes, type Suspect } from './pipes.ts'
import type { Place } from './place.ts'
import type { QuickObjects } from './quick-objects.ts'

/** No hooks, no signing, no daemons, no housekeeping, and nothing that makes git refuse or hide a change. */
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

/** Variables that would point git at another repository, index or way of reading paths. */
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
/** Another process is just adding a work tree of its own. */
const halfMade = /failed to read .+\/worktrees\/[^/]+\/\w+/

export interface GitCall extends Pick<
  ProcessRequest,
  'mark' | 'input' | 'signal' | 'onOutput' | 'timeoutMs' | 'encoding'
> {
  /** Where git finds its repository by itself … */
  cwd?: string
  /** … or which one it is told to use, so that a broken `.git` can never lead it to the repository around it. */
  place?: Place
  config?: readonly string[]
  env?: Record<string, string>
  /** Where an agent may have left pipes that keep git waiting; the work tree of `place` when absent. */
  suspect?: Suspect
  /** Reads and writes objects without a process, where that is possible. */
  quick?: QuickObjects
}

/** The environment of everything Looper starts in a work tree: the user's, but for what ties git to another place. */
export function cleanEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !inherited.includes(name)))
}

/** Resolves with whatever git answered; rejects only when there is no git to ask. */
export const tryGit = (args: readonly string[], call: GitCall): Promise<ProcessResult> =>
  patiently(gitCommand(args, call), call)

/**
 * Several commands for the price of one process of Node's, which is large and slow to fork. The script is fixed text
 * for `sh`; whatever varies comes as `$1`, `$2` and so on. It may be run again when a lock was held, so each of its
 * commands must bear that.
 */
export const tryGitScript = (script: string, args: readonly string[], call: GitCall): Promise<ProcessResult> =>
  patiently(scriptOf(script, args, call), call)

async function patiently(request: Omit<ProcessRequest, 'cwd'>, call: GitCall): Promise<ProcessResult> {
  const cwd = call.cwd ?? call.place?.path ?? process.cwd()
  for (const waitMs of [...lockWaitsMs, null]) {
    const result = await watched({ ...request, cwd }, call)
    if (!result.started) throw notStarted(cwd, call, result)
    if (waitMs === null || result.exitCode === 0 || !(lockHeld.test(result.stderr) || halfMade.test(result.stderr)))
      return result
    await sleep(waitMs)
  }
  throw new LooperError('BUG_INVARIANT', 'the loop above always returns')
}

async function watched(request: ProcessRequest, { place, suspect }: GitCall): Promise<ProcessResult> {
  const where = suspect ?? (place ? { folder: place.path, isGitDir: false } : null)
  const release = where === null ? null : watchForPipes(where)
  try {
    return await runProcess(request)
  } finally {
    release?.()
  }
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

/** What is started, and with which environment. */
export function gitCommand(args: readonly string[], call: GitCall): Omit<ProcessRequest, 'cwd'> {
  return { ...surroundings(call), argv: ['git', ...settingsFor(call).flatMap((setting) => ['-c', setting]), ...args] }
}

/** The settings come after those that the user's environment may hold already. */
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

/** A shell takes back the rights that its process has for a while, unless told not to. */
const sameRights = (): string[] => (process.geteuid?.() === process.getuid?.() ? [] : ['-p'])

const settingsFor = ({ place, config = [] }: GitCall): string[] => [
  ...settings,
  ...(place ? [`core.excludesFile=${place.excludes}`] : []),
  ...config,
]

function surroundings(call: GitCall): Omit<ProcessRequest, 'cwd' | 'argv' | 'env'> & { env: NodeJS.ProcessEnv } {
  const { place, env = {}, mark, input, signal, onOutput, timeoutMs, encoding } = call
  const where = place
    ? { GIT_DIR: place.gitDir, ...place.env, GIT_WORK_TREE: place.path, GIT_INDEX_FILE: place.index }
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

function notStarted(cwd: string, { place }: GitCall, result: ProcessResult): LooperError {
  if (!existsSync(cwd)) return new LooperError('WORKSPACE_GIT', `${plain(cwd)} is gone`)
  if (place && !canEnter(cwd))
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

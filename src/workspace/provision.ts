/**
 * Prepares a clean work tree for work: submodules, copied files, dependencies. These files are not part of any change.
 */
import type { Config } from '../model/config.ts'
import { LooperError } from '../model/error.ts'
import { readNow } from '../platform/files.ts'
import { runApart } from '../platform/run-apart.ts'
import { deniedHint } from '../platform/sandbox/denied-hint.ts'
import type { Sandbox } from '../platform/sandbox/sandbox.ts'
import { stayInside } from '../platform/stay-inside.ts'
import { plain } from '../views/plain-text.ts'
import { withheldHint } from '../views/withheld-hint.ts'
import { copyFiles } from './copy-files.ts'
import { writeExcludes } from './excludes.ts'
import { cleanEnvironment, git } from './git.ts'
import { isIntact, readManifest, recordManifest } from './setup-manifest.ts'
import { replaceFile, type Place } from './place.ts'
import { setupKey } from './setup.ts'

export interface Provisions {
  /** The user's checkout. */
  root: string
  copy: Config['workspace']['copy']
  /** Shell commands that the user configured. */
  setup: readonly string[]
  /** The user's global ignore rules. */
  ignoreRules: string
  env?: NodeJS.ProcessEnv
  /** Variables of the user that set-up does not get. */
  withheld?: readonly string[]
  /** Variables that the configuration sets for set-up. */
  own?: readonly string[]
  /** Removes secrets from the output of a failed command. */
  mask?: (text: string) => string
  signal?: AbortSignal
  /** The sandbox for set-up. Absent or null: it runs with the rights of the user. */
  sandbox?: Sandbox | null
}

/** The record of the last set-up, stored beside the work tree. */
interface Stamp {
  key: string
  foreign: string[]
}

const setupTimeoutMs = 60 * 60_000
/** With more new files than this, whole folders are ignored instead. */
const manyFiles = 500

export function readStamp(file: string): Stamp | null {
  const text = readNow(file)
  if (text === null) return null
  try {
    const { key, foreign }: Partial<Stamp> = JSON.parse(text.toString('utf8'))
    return typeof key === 'string' && Array.isArray(foreign)
      ? { key, foreign: foreign.filter((path) => typeof path === 'string') }
      : null
  } catch {
    return null
  }
}

/** The files that record a work tree's set-up. */
export interface SetupFiles {
  stamp: string
  manifest: string
}

/** The tree must be clean. Set-up runs once, and again when a lock file changes. */
export async function provision(place: Place, files: SetupFiles, provisions: Provisions, mark: string): Promise<void> {
  const { root, copy, setup } = provisions
  const stampFile = files.stamp
  const key = setupKey(place.path, setup)
  const stale = readStamp(stampFile)?.key !== key
  const copied = await copyFiles(root, place.path, copy)
  place.foreign = union(place.foreign, copied)
  writeExcludes(place, provisions.ignoreRules)
  if (stale) for (const line of setup) await runSetup(line, place.path, provisions, mark)
  if (copied.length > 0 || (stale && setup.length > 0)) {
    place.foreign = union(place.foreign, await tidy(place, mark))
    writeExcludes(place, provisions.ignoreRules)
    await recordManifest(place, files.manifest, mark)
  }
  if (stale || copied.length > 0)
    replaceFile(stampFile, JSON.stringify({ key, foreign: place.foreign } satisfies Stamp))
}

/**
 * Returns the set-up files that may stay when the work tree is reused: all of them, or none, so that set-up runs again.
 * An agent that changed a lock file has probably installed something.
 */
export async function keepSetup(place: Place, files: SetupFiles, setup: readonly string[]): Promise<string[]> {
  const stamp = readStamp(files.stamp)
  const manifest = stamp && readManifest(files.manifest)
  const isSame = stamp !== null && (setup.length === 0 || stamp.key === setupKey(place.path, setup))
  if (manifest && isSame && (await isIntact(place.path, manifest).catch(() => false))) return manifest.roots
  expireSetup(files, setup)
  return []
}

/** Makes the set-up commands run again next time, even if the lock files are the same. */
export function expireSetup({ stamp: file }: SetupFiles, setup: readonly string[]): void {
  const stamp = setup.length === 0 ? null : readStamp(file)
  if (stamp) replaceFile(file, JSON.stringify({ ...stamp, key: '' } satisfies Stamp))
}

/** Lines that name the reason. The last lines are often a stack trace or a path to a log. */
const reason = /\b(?:error|err!|fatal|denied|not found|cannot|can't|could not|unable to|failed)\b(?!\s*$)/i

type SetupOptions = Pick<Provisions, 'env' | 'withheld' | 'own' | 'mask' | 'signal' | 'sandbox'>

let commands = 0

export async function runSetup(line: string, cwd: string, options: SetupOptions, mark: string): Promise<void> {
  const { env, withheld, own, mask, signal, sandbox } = options
  const result = await runApart({
    argv: ['/bin/sh', '-c', line],
    cwd,
    env: { ...cleanEnvironment(env), ...stayInside(cwd) },
    signal,
    // A separate mark, so that ending leftover processes does not end a git of the same work.
    mark: `${mark}/setup${++commands}`,
    sandbox,
    tagged: true,
    ownHome: false,
    kept: own,
    timeoutMs: setupTimeoutMs,
    keepBytes: 64 * 1024,
  })
  if (result.exitCode === 0) return
  const output = (mask ?? String)(`${result.stdout}\n${result.stderr}`)
  const lines = output
    .split('\n')
    .map((text) => plain(text, 200))
    .filter((text) => text !== '')
  const reasons = lines.filter((text) => reason.test(text)).slice(0, 3)
  const last = reasons.length > 0 ? reasons : lines.slice(-3)
  const how = result.timedOut
    ? 'took too long'
    : result.exitCode === null
      ? 'was ended'
      : `failed with exit code ${result.exitCode}`
  // Long messages are cut at the end, so the sandbox hint comes before the output.
  const unseen = withheldHint(output, withheld ?? [], 'workspace.pass')
  const parts = [sandbox ? deniedHint(output, cwd) : null, ...last, unseen]
  const said = last.length > 0 ? `: ${parts.filter((part) => part !== null).join(' | ')}` : '.'
  throw new LooperError('WORKSPACE_SETUP', `The set-up command \`${plain(line, 200)}\` ${how}${said}`, {
    details: { command: line, exitCode: result.exitCode, output: output.slice(-4_000) },
  })
}

/** Restores tracked files that set-up changed, and returns the new files. */
async function tidy(place: Place, mark: string): Promise<string[]> {
  const look = async (untracked: 'all' | 'normal'): Promise<string[]> => {
    const args = [
      'status',
      '--porcelain=v1',
      '-z',
      '--no-renames',
      '--ignore-submodules=all',
      `--untracked-files=${untracked}`,
    ]
    return (await git(args, { place, mark })).split('\0').filter((entry) => entry !== '')
  }
  const isNew = (entry: string): boolean => entry.startsWith('??')
  const entries = await look('all')
  const changed = entries.filter((entry) => !isNew(entry) && entry[1] !== ' ').map((entry) => entry.slice(3))
  if (changed.length > 0)
    await git(['checkout-index', '--force', '-z', '--stdin'], { place, mark, input: changed.join('\0') + '\0' })
  const found = entries.filter(isNew).length > manyFiles ? await look('normal') : entries
  return found.filter(isNew).map((entry) => entry.slice(3))
}

const union = (a: readonly string[], b: readonly string[]): string[] => [...new Set([...a, ...b])]

/**
 * Private folders for one command: an empty one for temporary files and, on request, a home folder. The home folder
 * links to every entry of the user's home folder, so that settings, programs and caches are found. A new file in the
 * private home does not reach the next check; a file in a linked folder does.
 */
import { existsSync, lstatSync, mkdirSync, readdirSync, rmdirSync, statSync, symlinkSync, unlinkSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { LooperError } from '../model/error.ts'
import { cacheFolder } from './cache-folder.ts'
import { errnoOf, ioError } from './files.ts'
import { makeFolder } from './make-folder.ts'
import { removeNow, unmountBelow } from './mounts.ts'
import { runProcess } from './run-process.ts'

type Variables = Readonly<Record<string, string | undefined>>

export interface PrivateFolders {
  /** Variables that point to the folders. */
  env: Record<string, string>
  tmp: string
  /** Folders that the command writes to because of these variables. */
  writable: string[]
  /** Ignores files that cannot be removed. */
  remove(): Promise<void>
}

export interface PrivateRequest {
  /** The owner of the folders: `removePrivateFolders` removes what a killed process left for this key. */
  key: string
  /** The environment of the command. */
  env: Variables
  home: boolean
  /** Variables that the user set for this command. They are not changed. */
  kept?: readonly string[]
}

const temporary = ['TMPDIR', 'TMP', 'TEMP']
/** Folders with settings, data and state of programs. Their entries are linked one by one. */
const opened = ['.config', '.local', '.local/share', '.local/state']
const openedVariables = ['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME']
/**
 * Download caches, by the program that fills them. Where the user has the program but no cache yet, each command would
 * download again, so Looper keeps them among its own caches. Their parent folders are private, because they also
 * contain settings and programs.
 */
const caches: Readonly<Record<string, readonly string[]>> = {
  node: ['.npm/_cacache', '.yarn/berry'],
  bun: ['.bun/install/cache'],
  go: ['go/pkg/mod'],
  cargo: ['.cargo/registry', '.cargo/git'],
  java: ['.m2/repository', '.m2/wrapper/dists', '.gradle/caches', '.gradle/wrapper/dists', '.ivy2/cache', '.sbt/boot'],
  dotnet: ['.nuget/packages'],
  mix: ['.hex/packages'],
  dart: ['.pub-cache/hosted', '.pub-cache/hosted-hashes', '.pub-cache/git'],
}
/** Empty lock files that keep concurrent commands from writing to those caches at the same time. */
const locks: Readonly<Record<string, readonly string[]>> = {
  cargo: ['.cargo/.package-cache', '.cargo/.package-cache-mutate'],
  java: ['.ivy2/.sbt.ivy.lock'],
}

/** Short, because socket paths have a length limit. Stable, because compilers store paths in their caches. */
const prefixOf = (key: string): string => `looper-${key}-`

/** Throws an ENVIRONMENT_ error when the folders cannot be created. */
export function makePrivateFolders({ key, env, home, kept = [] }: PrivateRequest): PrivateFolders {
  const base = newFolder(join(tmpdir(), prefixOf(key)))
  const tmp = join(base, 'tmp')
  const found: Record<string, string> = {}
  const writable = [base]
  try {
    mkdirSync(tmp, { mode: 0o700 })
    for (const name of temporary) found[name] = tmp
    if (home) Object.assign(found, makeHome(base, env, kept))
    if (found['HOME'] !== undefined) writable.push(ownCaches(env, env['HOME'] ?? ''))
  } catch (error) {
    removeNow(base)
    throw ioError(error, base)
  }
  for (const name of kept) delete found[name]
  return { env: found, tmp, writable, remove: () => removeFolder(base) }
}

/** Uses the first free number. A folder of another user with that name counts as taken. */
function newFolder(prefix: string): string {
  for (let number = 1; ; number++) {
    const path = `${prefix}${number}`
    try {
      mkdirSync(path, { mode: 0o700 })
      return path
    } catch (error) {
      const errno = errnoOf(error)
      if (errno === 'ENOENT' || errno === 'ENOTDIR') throw noTemporaryFolder(dirname(path))
      if (errno !== 'EEXIST') throw ioError(error, path)
    }
  }
}

const noTemporaryFolder = (folder: string): LooperError =>
  new LooperError('ENVIRONMENT_IO', `the folder for temporary files does not exist: ${folder}`, {
    fix: `Set TMPDIR to a folder that exists, or create ${folder}`,
    details: { path: folder },
  })

function makeHome(base: string, env: Variables, kept: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {}
  const user = env['HOME']
  if (user !== undefined && isFolder(user) && !kept.includes('HOME')) {
    const home = join(base, 'home')
    linkEntries(user, home, opened)
    linkCaches(ownCaches(env, user), user, home, programsOn(env['PATH'] ?? ''))
    found['HOME'] = home
  }
  for (const name of openedVariables) {
    const folder = env[name]
    if (folder === undefined || !folder.startsWith('/') || kept.includes(name)) continue
    linkEntries(folder, join(base, name), [])
    found[name] = join(base, name)
  }
  return found
}

const ownCaches = (env: Variables, user: string): string => join(cacheFolder(env, user), 'caches')

/** Creates `to` with a link to each entry of `from`. Folders in `apart` become real folders with links inside. */
function linkEntries(from: string, to: string, apart: readonly string[]): void {
  mkdirSync(to, { mode: 0o700 })
  for (const name of isFolder(from) ? readdirSync(from) : []) {
    const inside = apart.filter((path) => path.startsWith(`${name}/`)).map((path) => path.slice(name.length + 1))
    if (apart.includes(name) && isFolder(join(from, name))) linkEntries(join(from, name), join(to, name), inside)
    else symlinkSync(join(from, name), join(to, name))
  }
}

function linkCaches(kept: string, user: string, home: string, programs: readonly string[]): void {
  const isMissing = (path: string): boolean => !lstatSync(join(user, topOf(path)), { throwIfNoEntry: false })
  const link = (path: string, folder: string): void => {
    try {
      ensureFolder(join(kept, folder))
      ensureFolder(dirname(join(home, path)))
      symlinkSync(join(kept, path), join(home, path))
    } catch {
      // Without the link, the command downloads again each time.
    }
  }
  for (const path of programs.flatMap((program) => caches[program] ?? []).filter(isMissing)) link(path, path)
  for (const path of programs.flatMap((program) => locks[program] ?? []).filter(isMissing)) link(path, dirname(path))
}

const found = new Map<string, readonly string[]>()

/** The programs with caches that are installed. */
function programsOn(path: string): readonly string[] {
  const known = found.get(path)
  if (known) return known
  const isInstalled = (program: string): boolean =>
    path.split(delimiter).some((each) => existsSync(join(each, program)))
  const programs = Object.keys(caches).filter(isInstalled)
  found.set(path, programs)
  return programs
}

/** A failed `mkdir` takes longer than `stat`. */
function ensureFolder(path: string): void {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) makeFolder(path, 0o700)
}

const topOf = (path: string): string => path.replace(/\/.*/, '')

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

/** The temporary folder is shared, so a link, a file or another user's folder may have the name of a private folder. */
function isOwnFolder(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found !== undefined && found.isDirectory() && found.uid === process.getuid?.()
}

/**
 * The fallback when Node cannot remove the folder. These programs descend folder by folder, so paths of any length
 * work. `chmod -R` follows a link only when the path itself is one.
 */
const force = 'chmod -R u+rwX -- "$1" 2>/dev/null; rm -rf -- "$1"'

/** As many as removing them at once does not hold up the program noticeably. */
const fewEntries = 200

/** Removes the folder and returns how many more entries may be removed at once; below zero, something is left. */
function removeEntries(path: string, most: number): number {
  let left = most
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (--left < 0) return left
    const inner = join(path, entry.name)
    if (entry.isDirectory()) left = removeEntries(inner, left)
    else unlinkSync(inner)
    if (left < 0) return left
  }
  rmdirSync(path)
  return left
}

/** A folder with a mount that cannot be removed stays. */
async function removeFolder(path: string): Promise<void> {
  try {
    unmountBelow(path)
  } catch {
    return
  }
  try {
    if (isOwnFolder(path) && removeEntries(path, fewEntries) < 0)
      await rm(path, { recursive: true, force: true, maxRetries: 2 })
  } catch {
    if (!isOwnFolder(path)) return
    const argv: [string, ...string[]] = ['/bin/sh', '-c', force, 'rm', path]
    await runProcess({ argv, cwd: '/', timeoutMs: 60_000, keepBytes: 4_096 }).catch(() => {})
  }
}

/** Removes the folders that a killed process left. No command with this key may be running. */
export async function removePrivateFolders(key: string): Promise<void> {
  const folder = tmpdir()
  const own = (isFolder(folder) ? readdirSync(folder) : []).filter((name) => name.startsWith(prefixOf(key)))
  for (const name of own) await removeFolder(join(folder, name))
}

/**
 * Private folders for one command: an empty one for temporary files and, on request, a home folder. The home folder
 * links to every entry of the user's home folder, so that settings, programs and caches are found. A new file in the
 * private home does not reach the next check; a file in a linked folder does.
 */
import { lstatSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { errnoOf, ioError } from './files.ts'
import { makeFolder } from './make-folder.ts'
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
 * Download caches. Where the user has none yet, each command would download again, so Looper keeps them among its own
 * caches. Their parent folders are private, because they also contain settings and programs.
 */
const caches = [
  '.npm/_cacache',
  '.yarn/berry',
  '.bun/install/cache',
  'go/pkg/mod',
  '.cargo/registry',
  '.cargo/git',
  '.m2/repository',
  '.m2/wrapper/dists',
  '.gradle/caches',
  '.gradle/wrapper/dists',
  '.ivy2/cache',
  '.sbt/boot',
  '.nuget/packages',
  '.hex/packages',
  '.pub-cache/hosted',
  '.pub-cache/hosted-hashes',
  '.pub-cache/git',
]
/** Empty lock files that keep concurrent commands from writing to those caches at the same time. */
const locks = ['.cargo/.package-cache', '.cargo/.package-cache-mutate', '.ivy2/.sbt.ivy.lock']

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
    rmSync(base, { recursive: true, force: true })
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
      if (errnoOf(error) !== 'EEXIST') throw ioError(error, path)
    }
  }
}

function makeHome(base: string, env: Variables, kept: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {}
  const user = env['HOME']
  if (user !== undefined && isFolder(user) && !kept.includes('HOME')) {
    const home = join(base, 'home')
    linkEntries(user, home, opened)
    linkCaches(ownCaches(env, user), user, home)
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

const ownCaches = (env: Variables, user: string): string =>
  join(env['XDG_CACHE_HOME'] || join(user, '.cache'), 'looper', 'caches')

/** Creates `to` with a link to each entry of `from`. Folders in `apart` become real folders with links inside. */
function linkEntries(from: string, to: string, apart: readonly string[]): void {
  mkdirSync(to, { mode: 0o700 })
  for (const name of isFolder(from) ? readdirSync(from) : []) {
    const inside = apart.filter((path) => path.startsWith(`${name}/`)).map((path) => path.slice(name.length + 1))
    if (apart.includes(name) && isFolder(join(from, name))) linkEntries(join(from, name), join(to, name), inside)
    else symlinkSync(join(from, name), join(to, name))
  }
}

function linkCaches(kept: string, user: string, home: string): void {
  const isMissing = (path: string): boolean => !lstatSync(join(user, topOf(path)), { throwIfNoEntry: false })
  for (const path of [...caches, ...locks].filter(isMissing)) {
    try {
      makeFolder(locks.includes(path) ? dirname(join(kept, path)) : join(kept, path), 0o700)
      makeFolder(dirname(join(home, path)), 0o700)
      symlinkSync(join(kept, path), join(home, path))
    } catch {
      // Without the link, the command downloads again each time.
    }
  }
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

async function removeFolder(path: string): Promise<void> {
  try {
    if (isOwnFolder(path)) await rm(path, { recursive: true, force: true, maxRetries: 2 })
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

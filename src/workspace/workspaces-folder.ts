/**
 * Chooses the folder for the workspaces of a run: below the user's cache folder, so that test runners in the checkout
 * do not find them.
 */
import { createHash } from 'node:crypto'
import { readdirSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, resolve, sep } from 'node:path'
import { LooperError } from '../model/error.ts'
import { cacheFolder } from '../platform/cache-folder.ts'
import { ioError, readNow } from '../platform/files.ts'
import { makeFolder } from '../platform/make-folder.ts'
import { realPath } from '../platform/real-path.ts'
import { runFolder } from '../platform/run-paths.ts'
import { plain } from '../views/text/plain-text.ts'
import { safeName } from './git/safe-name.ts'

/** The folder of all workspaces; `configured` is the setting `workspace.folder`. */
function baseFolder(configured: string | null | undefined, env: NodeJS.ProcessEnv): string {
  const home = env['HOME'] || homedir()
  if (configured) return resolve(home, configured.replace(/^~(?=\/|$)/, home))
  return join(cacheFolder(env, home), 'workspaces')
}

/** The name of a checkout in folders that all checkouts share. */
export const checkoutKey = (root: string): string =>
  createHash('sha256').update(realpathSync(root)).digest('hex').slice(0, 16)

/** One folder for each run of each checkout: `<base>/<key of the checkout>/<run>`. */
const tailOf = (root: string, run: string): string => join(checkoutKey(root), safeName(run))

/**
 * The store of set-up products lies beside the workspaces, on the same file system, so that files can be cloned.
 * `folder` is that of a run.
 */
export const storeFolder = (folder: string): string => join(dirname(dirname(folder)), '.setup')

/** The stores in the cache folder and in the configured folder. */
export const storeFolders = (configured: string | null, env: NodeJS.ProcessEnv): string[] => [
  ...new Set([null, configured].map((folder) => join(realPath(baseFolder(folder, env)), '.setup'))),
]

/**
 * Throws CONFIG_INVALID for a folder inside the checkout, because module look-up from there would find the user's
 * files.
 */
export function chooseWorkspacesFolder(
  root: string,
  run: string,
  configured: string | null | undefined,
  env: NodeJS.ProcessEnv = process.env,
): string {
  const base = realPath(baseFolder(configured, env))
  const checkout = realpathSync(root)
  if (base === checkout || base.startsWith(checkout + sep)) {
    throw new LooperError('CONFIG_INVALID', `The folder for workspaces, ${plain(base)}, is inside the checkout.`, {
      hint: 'Set "workspace.folder" to a folder outside the repository.',
    })
  }
  return join(base, tailOf(root, run))
}

/** Creates the folder of all workspaces. Throws an ENVIRONMENT_ error on failure. */
export function makeWorkspacesBase(configured: string | null | undefined, env: NodeJS.ProcessEnv): void {
  const base = baseFolder(configured, env)
  try {
    makeFolder(base)
  } catch (error) {
    const { code, message } = ioError(error, base)
    const where = configured ? '"workspace.folder"' : 'XDG_CACHE_HOME or "workspace.folder"'
    throw new LooperError(
      code === 'ENVIRONMENT_DISK_FULL' ? code : 'ENVIRONMENT_READ_ONLY',
      `The folder for workspaces cannot be made: ${plain(message)}.`,
      { hint: `Set ${where} to a folder that you can write to.`, cause: error },
    )
  }
}

/** Verification workspaces lie beside the folder of the agents, where no agent works. */
export const verificationFolder = (folder: string): string => `${folder}.verify`

/** The file with the folder, so that a resumed run keeps it even if the configuration or the environment changes. */
export const workspacesRecord = (root: string, run: string): string => join(runFolder(root, run), 'git', 'workspaces')

/**
 * Null when none is recorded. A path is accepted only if it ends like this run's folder, because the folder is removed
 * later.
 */
export function recordedFolder(root: string, run: string): string | null {
  try {
    const found = readNow(workspacesRecord(root, run))?.toString('utf8') ?? ''
    const isPlain = isAbsolute(found) && resolve(found) === found
    return isPlain && found.endsWith(`${sep}${tailOf(root, run)}`) ? found : null
  } catch {
    return null
  }
}

/**
 * Folders of runs that are not in `runs`, for example because the user cleaned the checkout and their journals are
 * gone. It searches the cache folder, the configured folder, and the folders beside those of known runs. `configured`
 * is the setting `workspace.folder`.
 */
export function orphanedFolders(
  root: string,
  runs: readonly string[],
  configured: string | null,
  env: NodeJS.ProcessEnv,
): { run: string; path: string }[] {
  const known = new Set(runs.map((run) => safeName(run)))
  const runOf = (name: string): string => name.replace(/\.verify$/, '')
  const folders = [
    ...[null, configured].map((folder) => dirname(join(realPath(baseFolder(folder, env)), tailOf(root, 'any')))),
    ...runs.flatMap((run) => recordedFolder(root, run) ?? []).map((folder) => dirname(folder)),
  ]
  return [...new Set(folders)].flatMap((folder) =>
    namesIn(folder)
      .filter((name) => !known.has(runOf(name)))
      .map((name) => ({ run: runOf(name), path: join(folder, name) })),
  )
}

/** Empty when the folder does not exist or cannot be read. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/**
 * The git directory of a run that only Looper uses. Its configuration is the user's at the start of the run, so
 * Looper's git never runs a filter, hook or setting that an agent plants later in its clone or in the user's
 * repository. Objects and refs are links to the user's repository. It lies in the run's folder, where no agent works
 * and which lasts as long as the journal.
 */
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readlinkSync, realpathSync, symlinkSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { ifExists, readNow } from '../../platform/files.ts'
import { removeNow } from '../../platform/mounts.ts'
import { writeCloneGitDir, type CloneSource } from '../clones/clone-git-dir.ts'
import { renderConfig, valueOf } from './frozen-config.ts'
import { createKeptFiles, type KeptFiles } from './kept-files.ts'
import { openQuickObjects, type QuickObjects } from './quick-objects.ts'
import { signaturesOf } from './quick-commit.ts'
import { identityOf } from './user-settings.ts'
import { captureSettings, readSettings, type FrozenSettings } from './frozen-settings.ts'

export interface FrozenGit {
  gitDir: string
  /** Variables that make git use this directory and no other user configuration. */
  env: Record<string, string>
  /** Variables for `commit-tree`, only for values that the user has not configured. */
  identity: Record<string, string>
  /** Reads and writes objects of the user's repository without starting git. */
  quick: QuickObjects
  /** The user's global ignore rules. */
  ignoreRules: string
  clone: CloneSource
  /**
   * Writes the directory again if it is gone, for example after the user cleaned the checkout, and restores files in it
   * that an agent changed.
   */
  ensure(): void
  /** Another file of Looper that `ensure` restores. */
  keep(path: string, text: string): void
  /** Writes the `.git` of a clone of this repository with HEAD at `commit`. `kept` is a subfolder that is preserved. */
  writeGitDir(path: string, commit: string, kept?: string): Promise<void>
  /** The same setup for a submodule's repository: its objects and refs with these settings. */
  sibling(name: string, commonDir: string): { env: Record<string, string>; clone: CloneSource }
}

export interface FreezeOptions {
  root: string
  commonDir: string
  /** The run's own folder. */
  runDir: string
  /** The run's branch, which clones do not have. */
  branch: string
  /** The commit the run starts from. */
  base: string
}

/** Loads the settings of the run's start, or captures them now, and writes the git directory again. */
export async function freezeGit(options: FreezeOptions, mark: string): Promise<FrozenGit> {
  const { root, commonDir, runDir, branch, base } = options
  const gitDir = join(runDir, 'git')
  const settings = readSettings(join(gitDir, settingsFile)) ?? (await captureSettings(root, commonDir, branch, mark))
  const frozen = thaw(gitDir, commonDir, base, settings)
  frozen.ensure()
  return frozen
}

const settingsFile = 'settings.json'

function thaw(gitDir: string, commonDir: string, base: string, settings: FrozenSettings): FrozenGit {
  const { config, clones, identity, ignoreRules, attributes, infoAttributes, infoExclude, refs } = settings
  const globalAttributes = join(gitDir, 'attributes')
  const files = (): Record<string, string> => ({
    config: renderConfig(config, { 'core.attributesFile': globalAttributes }),
    attributes,
    'info/attributes': infoAttributes,
    'info/exclude': infoExclude,
  })
  const kept = createKeptFiles()
  let isWritten = false
  const cloneOf = (from: string, names: string): CloneSource => ({
    commonDir: from,
    refs: names,
    attributes: infoAttributes,
    exclude: infoExclude,
    config: renderConfig(clones, { 'core.logAllRefUpdates': 'true' }),
  })
  const clone = cloneOf(commonDir, refs)
  const configured = new Map(identity.map(({ key, value }) => [key, value]))
  const known = identityOf(configured)
  // In a shared repository git sets special file permissions, which only git itself gets right.
  const isShared = valueOf(config, 'core.sharedrepository') !== undefined
  const signatures = isShared ? null : signaturesOf({ ...process.env, ...known }, configured)
  return {
    gitDir,
    env: envOf(gitDir),
    ignoreRules,
    clone,
    identity: known,
    quick: openQuickObjects(commonDir, signatures, writesAsStored(settings), stagesAsFound(settings)),
    ensure() {
      if (isWritten && existsSync(join(gitDir, 'HEAD'))) {
        kept.restore()
        removePlanted(gitDir)
        return linkShared(gitDir, commonDir, [...shared, ...occasional])
      }
      mkdirSync(gitDir, { recursive: true, mode: 0o700 })
      writeGitDir(gitDir, commonDir, base, { ...files(), [settingsFile]: JSON.stringify(settings) }, kept)
      kept.restore()
      isWritten = true
    },
    keep: kept.keep,
    writeGitDir: (path, commit, kept) => writeCloneGitDir(path, commit, clone, kept),
    sibling(name, from) {
      const folder = join(gitDir, 'modules', createHash('sha256').update(name).digest('hex').slice(0, 16))
      const head = readNow(join(from, 'HEAD'))?.toString('utf8').trim() ?? base
      writeGitDir(folder, from, head, { ...files(), 'info/attributes': '', 'info/exclude': '' }, createKeptFiles())
      return { env: envOf(folder), clone: { ...cloneOf(from, ''), attributes: '', exclude: '' } }
    },
  }
}

/** Attributes of the machine, wherever git was installed: its own folder is known from PATH. */
function systemAttributes(): string[] {
  const installed = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'git'))
    .flatMap((file) => (existsSync(file) ? realpathSync(file) : []))
    .map((file) => dirname(dirname(file)))
  const folders = ['/usr', '/usr/local', '/opt/homebrew', ...installed].flatMap((prefix) =>
    ['etc', 'share/git-core'].map((name) => join(prefix, name)),
  )
  return ['/etc', ...folders].map((folder) => join(folder, 'gitattributes'))
}

const converting = /^(?:core\.(?:autocrlf|eol|sparsecheckout|attributesfile)|attr\..*)$/i

/** Git reads settings and attributes from variables too. */
const isConverting = ([name, value = '']: [string, string | undefined]): boolean =>
  name === 'GIT_ATTR_SOURCE' || (/^GIT_CONFIG_KEY_\d+$/.test(name) && converting.test(value))

/** Whether no setting and no attribute outside the tree makes git convert content or leave out a file. */
const writesAsStored = ({ config, attributes, infoAttributes }: FrozenSettings): boolean =>
  attributes === ''
  && infoAttributes === ''
  && !config.some(({ key }) => converting.test(key))
  && !Object.entries(process.env).some(isConverting)
  && !systemAttributes().some((path) => existsSync(path))

/** Settings that determine how git compares files with its index, with the values that they have on Linux. */
const comparing: Readonly<Record<string, string>> = {
  'core.filemode': 'true',
  'core.symlinks': 'true',
  'core.ignorecase': 'false',
  'core.precomposeunicode': 'false',
  'core.trustctime': 'true',
  'core.checkstat': 'default',
}

/** Whether nothing makes git convert or leave out a file when it stages it, or record another mode. */
const stagesAsFound = (settings: FrozenSettings): boolean =>
  writesAsStored(settings)
  && settings.config.every(({ key, value }) => (comparing[key] ?? value) === value)
  && !Object.entries(process.env).some(
    ([name, value = '']) => /^GIT_CONFIG_KEY_\d+$/.test(name) && value.toLowerCase() in comparing,
  )

const envOf = (gitDir: string): Record<string, string> => ({
  GIT_DIR: gitDir,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
})

/** Parts of the user's repository that Looper's git works on. */
const shared = ['objects', 'refs', 'logs/refs']

/**
 * Files that git creates on demand, and stores of filters such as LFS. They are linked only if they exist, because a
 * dangling link stops tools that walk the checkout.
 */
const occasional = ['packed-refs', 'reftable', 'shallow', 'lfs', 'annex']

function writeGitDir(
  gitDir: string,
  commonDir: string,
  head: string,
  files: Record<string, string>,
  kept: KeptFiles,
): void {
  mkdirSync(join(commonDir, 'logs', 'refs'), { recursive: true })
  for (const folder of ['info', 'logs']) mkdirSync(join(gitDir, folder), { recursive: true })
  linkShared(gitDir, commonDir, [...shared, ...occasional])
  removePlanted(gitDir)
  for (const [name, text] of Object.entries({ ...files, HEAD: `${head}\n` })) kept.keep(join(gitDir, name), text)
}

/** Files that Looper never writes and by which git would use other settings or another repository. */
const planted = ['commondir', 'config.worktree', 'info/grafts', 'info/sparse-checkout']

function removePlanted(gitDir: string): void {
  for (const name of planted) removeNow(join(gitDir, name))
}

/** Links only existing entries. */
function linkShared(gitDir: string, commonDir: string, names: readonly string[]): void {
  for (const name of names) if (existsSync(join(commonDir, name))) link(join(commonDir, name), join(gitDir, name))
}

function link(target: string, path: string): void {
  const found = ifExists(() => lstatSync(path), path)
  if (found?.isSymbolicLink() && readlinkSync(path) === target) return
  if (found) removeNow(path)
  symlinkSync(target, path)
}

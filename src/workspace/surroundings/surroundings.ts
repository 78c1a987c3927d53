/**
 * Detects changes around the workspaces of a run without a sandbox: in the checkout, its git directory and refs, and
 * the home folder. It only reports changes; it neither prevents nor reverts them. It starts no process and reads hardly
 * any content, because it runs after every turn and every command.
 */
import { basename, dirname, join } from 'node:path'
import type { Surroundings } from '../../model/outside.ts'
import { foldersOf, stampCheckout } from './checkout.ts'
import { homePaths, type HomeOptions } from './home.ts'
import { createRefReader } from './refs.ts'
import { createIndexReader, stampGit } from './git-dir.ts'
import { nameOf } from './names.ts'
import { loadStamps, saveStamps, type Taken } from './saved-stamps.ts'
import { entriesOf, stampContent, stampEntries, stampInto, textAt, type Stamps } from './stamps.ts'

export interface SurroundingsOptions extends HomeOptions {
  root: string
  gitDir: string
  commonDir: string
  /** True when agents edit the checkout and Looper commits there. */
  inPlace: boolean
  /** The path of the backlog relative to the root. Looper writes it. */
  backlog: string
  /** Folders that Looper itself writes to: workspaces, runs. */
  own: readonly string[]
  /** Looper's configuration files: later stretches of the run would read a change. */
  configFiles: readonly string[]
  /** The file that keeps the stamps for the process that takes over after a crash. */
  file: string
}

/** A checkout with more entries is compared only when `whole` is requested. */
const smallCheckout = 300
const mostPaths = 50
/** A file that changes all the time, such as one that the user edits, is reported at most this often. */
const mostReports = 3
/** Folders in `.looper` that people write to. */
const userFolders = ['prompts', 'stages', 'pipelines', 'workflows']

/** `crash`: the previous process died, so changes since its last comparison are reported. */
export function openSurroundings(options: SurroundingsOptions, since: 'now' | 'crash'): Surroundings {
  const { root, gitDir, commonDir, inPlace, file } = options
  const home = homePaths(options)
  const looperPaths = ['.git', '.looper', '.looper/runs', options.backlog].map((path) => join(root, path))
  const own = new Set([...options.own, ...looperPaths])
  /** The backlog is replaced by rename. */
  const temporary = join(root, dirname(options.backlog), `.${basename(options.backlog)}.tmp-`)
  const isOfLooper = (path: string): boolean => own.has(path) || path.startsWith(temporary)
  const isOwn = (path: string): boolean => own.has(path) || home.isOwn(path)
  const refs = createRefReader(commonDir, ownRefs(inPlace ? textAt(join(gitDir, 'HEAD')) : null))
  const index = createIndexReader(gitDir, commonDir)
  const reports = new Map<string, number>()
  const prompts = join(root, '.looper/prompts')

  function around(): Stamps {
    const stamps: Stamps = new Map(refs.read())
    stampGit(stamps, gitDir, commonDir)
    for (const folder of home.folders) stampEntries(stamps, folder, isOwn)
    for (const path of home.files) stampInto(stamps, path)
    for (const name of userFolders) stampEntries(stamps, join(root, '.looper', name), isOwn)
    for (const path of options.configFiles) stampContent(stamps, path)
    for (const { name } of entriesOf(prompts)) stampContent(stamps, join(prompts, name))
    if (!inPlace) stamps.set(join(gitDir, 'index'), index.digest())
    return stamps
  }

  /** Always uses the same folders: a folder that git starts to track would show all its files as new. */
  function checkout(folders: ReadonlySet<string>): Stamps {
    const stamps: Stamps = new Map()
    if (!inPlace) stampCheckout(stamps, root, folders, isOfLooper)
    return stamps
  }

  function begin(): Taken {
    const folders = foldersOf(inPlace ? [] : index.paths())
    return { around: around(), checkout: checkout(folders), folders }
  }

  const isNew = (name: string): boolean => {
    const count = (reports.get(name) ?? 0) + 1
    reports.set(name, count)
    return count <= mostReports
  }

  let known: Taken = (since === 'crash' ? loadStamps(file, root) : null) ?? begin()
  saveStamps(file, root, known)

  return {
    changed(whole) {
      const isCompared = whole || known.checkout.size <= smallCheckout
      const { folders } = known
      const found: Taken = { around: around(), checkout: isCompared ? checkout(folders) : known.checkout, folders }
      const paths = [...differing(known.around, found.around), ...differing(known.checkout, found.checkout)]
      if (paths.length === 0) return null
      known = found
      saveStamps(file, root, known)
      const names = [...new Set(paths.map((path) => nameOf(path, options)))].filter(isNew).toSorted(byWeight)
      if (names.length === 0) return null
      return { paths: names.slice(0, mostPaths), more: Math.max(0, names.length - mostPaths) }
    },
  }
}

const isConfigFile = /(?:^\.|\/)looper\/[^/]+\.json$/

/** Only the first names are shown, so changes with the widest effect come first. */
function byWeight(a: string, b: string): number {
  const weight = (name: string): number =>
    isConfigFile.test(name) ? -1 : /^(?:~|\/)/.test(name) ? 0 : /^(?:\.git\/|refs\/|\.looper\/)/.test(name) ? 1 : 2
  return weight(a) - weight(b) || (a < b ? -1 : 1)
}

function differing(before: Stamps, after: Stamps): string[] {
  if (before === after) return []
  const paths: string[] = []
  for (const [path, stamp] of after) if (before.get(path) !== stamp) paths.push(path)
  for (const path of before.keys()) if (!after.has(path)) paths.push(path)
  return paths
}

/** Refs that Looper's runs move; in place, also the branch that it commits to. */
function ownRefs(head: string | null): (ref: string) => boolean {
  const branch = /^ref: (\S+)/.exec(head ?? '')?.[1]
  return (ref) => ref === branch || /^refs\/(?:heads\/looper\/|looper\/|worktree\/)/.test(ref)
}

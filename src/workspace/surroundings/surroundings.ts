/**
 * Compares what lies around the workspaces of a run that is not confined: the checkout, its git directory and refs, and
 * the home folder. Nothing is prevented and nothing is undone; what changed is reported. It starts no process and reads
 * hardly any content, because it runs after every turn and every command.
 */
import { join } from 'node:path'
import type { OutsidePaths } from '../../model/outside.ts'
import { foldersOf, stampCheckout } from './checkout.ts'
import { homePaths, type HomeOptions } from './home.ts'
import { createRefReader } from './refs.ts'
import { createIndexReader, stampGit } from './git-dir.ts'
import { nameOf } from './names.ts'
import { loadStamps, saveStamps, type Taken } from './saved-stamps.ts'
import { stampEntries, stampInto, textAt, type Stamps } from './stamps.ts'

export interface SurroundingsOptions extends HomeOptions {
  root: string
  gitDir: string
  commonDir: string
  /** Agents edit the checkout, and Looper commits there. */
  inPlace: boolean
  /** The backlog, from the root: Looper writes it. */
  backlog: string
  /** Folders of Looper's own: workspaces, runs. */
  own: readonly string[]
  /** Keeps the stamps for the process that takes over after a crash. */
  file: string
}

export interface Surroundings {
  /** What changed since it was last asked; null when nothing did. `whole`: a large checkout is compared as well. */
  changed(whole: boolean): OutsidePaths | null
}

/** A larger checkout is compared only when the run rests. */
const smallCheckout = 300
const mostPaths = 50
/** A file that changes all the time, such as one that the user edits, is reported this often. */
const mostReports = 3
/** What people write themselves in `.looper`. */
const userFolders = ['prompts', 'stages', 'pipelines', 'workflows']

/** `crash`: the process before this one died, and what changed since its last comparison counts. */
export function openSurroundings(options: SurroundingsOptions, since: 'now' | 'crash'): Surroundings {
  const { root, gitDir, commonDir, inPlace, file } = options
  const home = homePaths(options)
  const own = new Set([...options.own, join(root, '.git'), join(root, '.looper'), join(root, options.backlog)])
  const isOwn = (path: string): boolean => own.has(path) || home.isOwn(path)
  const refs = createRefReader(commonDir, ownRefs(inPlace ? textAt(join(gitDir, 'HEAD')) : null))
  const index = createIndexReader(gitDir, commonDir)
  const reports = new Map<string, number>()

  function around(): Stamps {
    const stamps: Stamps = new Map(refs.read())
    stampGit(stamps, gitDir, commonDir)
    for (const folder of home.folders) stampEntries(stamps, folder, isOwn)
    for (const path of home.files) stampInto(stamps, path)
    for (const name of userFolders) stampEntries(stamps, join(root, '.looper', name), isOwn)
    stampInto(stamps, join(root, '.looper/config.json'))
    if (!inPlace) stamps.set(join(gitDir, 'index'), index.digest())
    return stamps
  }

  /** Always the same folders: one that git begins to track would show all its files as new. */
  function checkout(folders: ReadonlySet<string>): Stamps {
    const stamps: Stamps = new Map()
    if (!inPlace) stampCheckout(stamps, root, folders, own)
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

  let known: Taken = (since === 'crash' ? loadStamps(file) : null) ?? begin()
  saveStamps(file, known)

  return {
    changed(whole) {
      const isCompared = whole || known.checkout.size <= smallCheckout
      const { folders } = known
      const found: Taken = { around: around(), checkout: isCompared ? checkout(folders) : known.checkout, folders }
      const paths = [...differing(known.around, found.around), ...differing(known.checkout, found.checkout)]
      if (paths.length === 0) return null
      known = found
      saveStamps(file, known)
      const names = [...new Set(paths.map((path) => nameOf(path, options)))].filter(isNew).toSorted(byWeight)
      if (names.length === 0) return null
      return { paths: names.slice(0, mostPaths), more: Math.max(0, names.length - mostPaths) }
    },
  }
}

/** Only the first names are shown: those whose change reaches furthest come first. */
function byWeight(a: string, b: string): number {
  const weight = (name: string): number =>
    /^(?:~|\/)/.test(name) ? 0 : /^(?:\.git\/|refs\/|\.looper\/)/.test(name) ? 1 : 2
  return weight(a) - weight(b) || (a < b ? -1 : 1)
}

function differing(before: Stamps, after: Stamps): string[] {
  if (before === after) return []
  const paths: string[] = []
  for (const [path, stamp] of after) if (before.get(path) !== stamp) paths.push(path)
  for (const path of before.keys()) if (!after.has(path)) paths.push(path)
  return paths
}

/** Refs that Looper's runs move; in place, the branch that it commits to as well. */
function ownRefs(head: string | null): (ref: string) => boolean {
  const branch = /^ref: (\S+)/.exec(head ?? '')?.[1]
  return (ref) => ref === branch || /^refs\/(?:heads\/looper\/|looper\/|worktree\/)/.test(ref)
}

/** The key of everything that a workspace gets beside its tree: submodules, copied files and the products of set-up. */
import { createHash } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../model/config.ts'
import { readNow } from '../../platform/files.ts'
import { git } from '../git/git.ts'
import type { WorkTree } from '../clones/work-tree.ts'
import { packageFiles, type PackageFiles } from './package-files.ts'
import { setupReadsSources } from './setup-sources.ts'
import { setupInputsKey } from './setup.ts'

export interface KeyedSetup {
  /** The user's checkout. */
  root: string
  copy: Config['workspace']['copy']
  /** Shell commands that the user configured. */
  setup: readonly string[]
}

/** What of a tree determines its set-up. */
export interface SetupInputs {
  tree: string
  /** Commits of submodules by path. */
  links: ReadonlyMap<string, string>
  files: PackageFiles
}

/** Equal keys mean that the same files would be created. */
export function equipmentKey(path: string, { root, copy, setup }: KeyedSetup, inputs: SetupInputs): string {
  const { tree, links, files } = inputs
  const sources = copy.map((name) => {
    const found = lstatSync(join(root, name), { throwIfNoEntry: false })
    return found ? [name, found.mode, found.size, found.mtimeMs, found.ino] : [name]
  })
  const modules = links.size > 0 ? readNow(join(path, '.gitmodules'))?.toString('latin1') : null
  const sourcesOf = setup.length > 0 && setupReadsSources(path, files, setup) ? tree : null
  const all = [setupInputsKey(path, files, setup), sources, modules, [...links], sourcesOf]
  return createHash('sha256').update(JSON.stringify(all)).digest('hex')
}

/** Reads the inputs of a work tree through Looper's index: only tracked files count, with their content on disk. */
export async function readInputs(workTree: WorkTree, tree: string, mark: string): Promise<SetupInputs> {
  const listed = await git(['ls-files', '--stage', '-z'], { workTree, mark, encoding: 'latin1' })
  const entries = listed.split('\0').filter((entry) => entry !== '')
  const pathOf = (entry: string): string => entry.slice(entry.indexOf('\t') + 1)
  const isLink = (entry: string): boolean => entry.startsWith('160000 ')
  const hasModules = entries.some((entry) => pathOf(entry) === '.gitmodules')
  const links = entries.filter((entry) => hasModules && isLink(entry))
  return {
    tree,
    links: new Map(links.map((entry) => [pathOf(entry), entry.split(' ')[1] ?? ''])),
    files: packageFiles(workTree.path, entries.filter((entry) => !isLink(entry)).map(pathOf)),
  }
}

/** The package files of the user's checkout that git tracks. */
export async function trackedPackageFiles(root: string, mark: string): Promise<PackageFiles> {
  const listed = await git(['ls-files', '--cached', '-z'], { cwd: root, mark, encoding: 'latin1' })
  return packageFiles(
    root,
    listed.split('\0').filter((path) => path !== ''),
  )
}

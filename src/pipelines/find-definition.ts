/** Finds definitions: those of the project, those in the folders of loop-agents, and the built-in ones. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { errnoOf, ioError } from '../platform/files.ts'
import { isName } from './name.ts'
import { isWithin } from './read-text.ts'

export interface Where {
  /** The root of the project. */
  root: string
  /** The folder of the installed Looper. */
  packageFolder: string
  /** The folder that command line paths are relative to; by default the project. */
  cwd?: string
}

export type Kind = 'stage' | 'pipeline'
export type Source = 'project' | 'built-in'

export interface Found {
  /** Null for a file given by its path: its content decides. */
  kind: Kind | null
  /** The name of its folder or file. */
  name: string
  source: Source
  path: string
  /** The folder that the definition must not read outside of. */
  within: string
}

const stageFiles = ['stage.yaml', 'stage.yml', 'loop.yaml', 'loop.yml']
const yaml = ['.yaml', '.yml']

/** Alternative names of stages. */
export const aliases: Readonly<Record<string, string>> = { 'refine-beads': 'refine-tasks' }

interface Shelf {
  folder: string
  source: Source
  within: string
}

const shelves = (kind: Kind, { root, packageFolder }: Where): Shelf[] => {
  const own = kind === 'stage' ? ['.looper/stages', 'scripts/loops'] : ['.looper/pipelines', 'scripts/pipelines']
  return [
    ...own.map((folder): Shelf => ({ folder: join(root, folder), source: 'project', within: root })),
    {
      folder: join(packageFolder, kind === 'stage' ? 'stages' : 'pipelines'),
      source: 'built-in',
      within: packageFolder,
    },
  ]
}

/** Returns the first match; null when there is none, or the name is not valid. */
export function findNamed(kind: Kind, name: string, where: Where): Found | null {
  if (!isName(name)) return null
  const found = shelves(kind, where)
    .map((shelf) => onShelf(kind, name, shelf))
    .find((each) => each !== null)
  const other = kind === 'stage' && Object.hasOwn(aliases, name) ? aliases[name] : undefined
  return found ?? (other === undefined ? null : findNamed(kind, other, where))
}

function onShelf(kind: Kind, name: string, { folder, source, within }: Shelf): Found | null {
  const candidates =
    kind === 'stage' ? stageFiles.map((file) => join(folder, name, file)) : yaml.map((end) => join(folder, name + end))
  const path = candidates.find((candidate) => existsSync(candidate))
  return path === undefined ? null : { kind, name, source, path, within }
}

/** Finds a file, or the folder of a stage, from a command line argument; null when it is neither. */
export function findPath(text: string, { root, cwd = root }: Where): Found | null {
  const path = resolve(cwd, text)
  const facts = text.includes('\0') ? undefined : statSync(path, { throwIfNoEntry: false })
  if (facts === undefined) return null
  const inside = facts.isDirectory()
    ? stageFiles.map((file) => join(path, file)).find((file) => existsSync(file))
    : undefined
  const file = facts.isDirectory() ? inside : path
  if (file === undefined) return null
  const isStage = stageFiles.includes(basename(file))
  return {
    kind: isStage ? 'stage' : null,
    name: isStage ? basename(dirname(file)) : withoutEnd(basename(file)),
    source: 'project',
    path: file,
    within: isWithin(file, root) ? root : dirname(file),
  }
}

export const looksLikePath = (text: string): boolean => text.includes('/') || yaml.includes(extname(text))
export const withoutEnd = (file: string): string =>
  yaml.includes(extname(file)) ? file.slice(0, -extname(file).length) : file

/** Lists each name once: a definition of the project hides the built-in one. */
export function listAll(kind: Kind, where: Where): Found[] {
  const names = new Set(shelves(kind, where).flatMap(({ folder }) => namesIn(kind, folder)))
  return [...names].toSorted().flatMap((name) => findNamed(kind, name, where) ?? [])
}

function namesIn(kind: Kind, folder: string): string[] {
  const names = entriesOf(folder)
  return (kind === 'stage' ? names : names.filter((name) => yaml.includes(extname(name))).map(withoutEnd)).filter(
    (name) => isName(name),
  )
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return []
    throw ioError(error, folder)
  }
}

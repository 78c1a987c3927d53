/** Workspaces of a Node project whose root has no test script: one check for each package that has one. */
import type { CheckConfig } from '../model/config.ts'
import { matchesPath } from '../core/policies/path-glob.ts'
import { closure } from './closure.ts'
import { everyWorkspaceLine, workspaceLine, type Manager } from './node-manager.ts'
import { parseManifest, type Manifest } from './node-manifest.ts'
import { check, type Project } from './project.ts'

/** More packages than this are one check. */
const mostPackages = 12

/** Adds to `notes` the packages that are left out, because no command can name them. */
export async function workspaceChecks(
  project: Project,
  root: Manifest,
  manager: Manager,
  notes: string[],
): Promise<CheckConfig[]> {
  const globs = [...root.workspaces, ...(await pnpmGlobs(project))]
  if (globs.length === 0) return []
  const folders = [...project.files]
    .filter((path) => path.endsWith('/package.json'))
    .map((path) => path.slice(0, -'/package.json'.length))
    .filter((folder) => isWorkspace(globs, folder))
    .toSorted()
  const manifests = await Promise.all(
    folders.map(async (folder) => parseManifest((await project.read(`${folder}/package.json`)) ?? '')),
  )
  const packages = new Map(
    manifests.flatMap((each, at) => (each?.name ? [[each.name, { ...each, folder: folders[at] ?? '' }]] : [])),
  )
  const tested = manifests.flatMap((each) => (each?.name && each.scripts.has('test') ? [each.name] : []))
  const named = tested.filter((name) => packageName.test(name))
  const every = everyWorkspaceLine[manager]
  if (every !== null && (tested.length > mostPackages || named.length < tested.length)) return [check('test', every)]
  const unnamed = tested.length - named.length
  if (unnamed > 0)
    notes.push(`${unnamed} workspace${unnamed === 1 ? ' has' : 's have'} no valid name, so no check runs its tests`)
  return named.map((name) => ({
    ...check(`test ${name}`, workspaceLine[manager](name)),
    paths: foldersOf(packages, name),
  }))
}

type Packages = ReadonlyMap<string, Pick<Manifest, 'dependencies'> & { folder: string }>

/** The folder of a package, and those of the packages of this repository that it depends on, also indirectly. */
function foldersOf(packages: Packages, name: string): string[] {
  const own = (each: string): string[] =>
    [...(packages.get(each)?.dependencies ?? [])].filter((one) => packages.has(one))
  return closure(name, own).map((each) => packages.get(each)?.folder ?? '')
}

/** Names that npm accepts. Others could mean something to a shell. */
const packageName = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/i

function isWorkspace(globs: readonly string[], folder: string): boolean {
  if (/(?:^|\/)node_modules\//.test(`${folder}/`)) return false
  const excluded = globs.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1))
  const isIn = (glob: string): boolean => matchesFolder(glob.replace(/^\.\//, '').replace(/\/$/, ''), folder)
  return !excluded.some(isIn) && globs.some((glob) => !glob.startsWith('!') && isIn(glob))
}

/** `matchesPath` also accepts everything below a match: only folders of the same depth count, unless `**` is used. */
const matchesFolder = (glob: string, folder: string): boolean =>
  matchesPath(glob, folder) && (glob.includes('**') || glob.split('/').length === folder.split('/').length)

/** The list `packages` of pnpm-workspace.yaml. Its other keys have nested lists of their own. */
async function pnpmGlobs(project: Project): Promise<string[]> {
  const text = await project.read('pnpm-workspace.yaml')
  const list = text === null ? null : /^packages:[ \t]*\n((?:[ \t]*(?:-.*|#.*)?\n?)*)/m.exec(text)?.[1]
  return [...(list ?? '').matchAll(/^[ \t]*-[ \t]+(['"]?)([^'"#\n]+?)\1[ \t]*(?:#.*)?$/gm)].map(
    ([, , glob]) => glob ?? '',
  )
}

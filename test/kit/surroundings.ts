/** Everything around a run that it must leave as it is: the checkout, its git directory, and the home folder. */
import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Project } from './project.ts'

export type Surroundings = ReadonlyMap<string, string>

/** Folders that belong to Looper, to the test, or to git's object store. */
const isOwn = (path: string): boolean =>
  /^(?:notes|agent\.mjs|repo\/\.git|repo\/\.looper|\.cache\/looper\/(?:workspaces|caches|preflight|sandbox\.json))$/.test(
    path,
  )

/** One entry for each file, ref and setting outside the run's own folders. */
export function surroundingsOf(project: Project): Surroundings {
  const home = dirname(project.root)
  const found = new Map<string, string>()
  for (const path of below(home, home)) found.set(path, hashOf(join(home, path)))
  const gitDir = join(project.root, '.git')
  for (const name of ['config', 'config.worktree', 'hooks', 'info', 'HEAD', 'objects/info/alternates', 'shallow']) {
    for (const path of below(join(gitDir, name), home)) found.set(path, hashOf(join(home, path)))
  }
  found.set('repo/.looper/config.json', hashOf(join(project.root, '.looper/config.json')))
  found.set('index', project.git('ls-files', '--stage', '-v'))
  found.set('worktrees', project.git('worktree', 'list', '--porcelain').split('\n').filter(isFolder).join('\n'))
  for (const line of project.git('for-each-ref', '--format=%(refname) %(objectname)').split('\n')) {
    const [ref = '', commit = ''] = line.split(' ')
    if (!/^refs\/(?:heads\/looper\/|looper\/|worktree\/)/.test(ref)) found.set(ref, commit)
  }
  found.set('stash', project.git('stash', 'list', '--format=%H %gs'))
  return found
}

const isFolder = (line: string): boolean => line.startsWith('worktree ')

/** What Looper calls a difference. */
function nameOf(difference: string): string {
  const names: Record<string, string> = { index: '.git/index', worktrees: '.git/worktrees', stash: 'refs/stash' }
  if (difference.startsWith('refs/')) return difference
  return names[difference] ?? (difference.startsWith('repo/') ? difference.slice('repo/'.length) : `~/${difference}`)
}

/** A folder stands for what lies in it, because a new folder is named without its files. */
const covers = (name: string, other: string): boolean =>
  name === other || other.startsWith(`${name}/`) || name.startsWith(`${other}/`)

/** Differences that are not among what was reported, and reports of what is no difference. */
export function unmatched(
  found: readonly string[],
  reported: readonly string[],
): { untold: string[]; invented: string[] } {
  const names = found.map(nameOf)
  return {
    untold: names.filter((name) => !reported.some((other) => covers(name, other))),
    invented: reported.filter((name) => !names.some((other) => covers(name, other))),
  }
}

/** Names of what was added, changed or removed, sorted. */
export function differences(before: Surroundings, after: Surroundings): string[] {
  const names = new Set([...before.keys(), ...after.keys()])
  return [...names].filter((name) => before.get(name) !== after.get(name)).toSorted()
}

/** Paths from `home` of everything at and below `folder`; links are not followed. */
function* below(folder: string, home: string): Generator<string> {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  const path = relative(home, folder)
  if (!found || isOwn(path)) return
  if (path !== '' && !isCache(path)) yield path
  if (found.isDirectory()) for (const name of readdirSync(folder)) yield* below(join(folder, name), home)
}

/** Looper makes these folders; what else is put into them counts. */
const isCache = (path: string): boolean => path === '.cache' || path === '.cache/looper'

function hashOf(path: string): string {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found) return 'missing'
  const content = found.isSymbolicLink() ? readlinkSync(path) : found.isFile() ? readFileSync(path) : ''
  return `${found.mode.toString(8)} ${createHash('sha256').update(content).digest('hex')}`
}

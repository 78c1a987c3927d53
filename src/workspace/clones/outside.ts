/** Finds files in a workspace that are part of no change, so that a fresh clone of the result does not have them. */
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { LeftOutside } from '../../model/work.ts'
import { ifExists } from '../../platform/files.ts'
import { isExcluded } from './excludes.ts'
import { gitError, tryGit, tryGitScript } from '../git/git.ts'
import { readManifest, type Manifest } from '../setup/setup-manifest.ts'
import type { WorkTree } from './work-tree.ts'

const mostNamed = 50
/** An empty folder can contain further empty ones. The search stops after this many. */
const mostFolders = 1_000

/** Folders that tools write for themselves and that tests seldom need. They are listed last. */
const caches = new Set([
  'node_modules',
  '__pycache__',
  '.pytest_cache',
  '.mypy_cache',
  '.ruff_cache',
  '.venv',
  'venv',
  '.cache',
  '.nyc_output',
  'coverage',
  'target',
  'dist',
  'build',
  '.gradle',
  '.tox',
  '.next',
  '.turbo',
  '.vite',
])
const isCache = (path: string): boolean =>
  path
    .split('/')
    .slice(0, -1)
    .some((name) => caches.has(name)) || /\.(?:log|pyc|tsbuildinfo)$/.test(path)

/** The index of `workTree` must be that of a snapshot just taken. `submodules` is what does not land of them. */
export async function findOutside(
  workTree: WorkTree,
  manifestFile: string,
  submodules: readonly LeftOutside[],
  mark: string,
): Promise<LeftOutside[]> {
  const result = await tryGitScript(listScript, [], { workTree, mark })
  if (result.exitCode !== 0) throw gitError(['ls-files'], result)
  const [ignored = '', folders = ''] = result.stdout.split('\0\0\0')
  const manifest = readManifest(manifestFile)
  const isNews = (path: string): boolean => !isBrought(path, manifest) && !isExcluded(path, workTree.foreign)
  const files = cachesLast(ignored.split('\0').filter((path) => path !== '' && isNews(path)))
  const untracked = folders.split('\0').filter((path) => path.endsWith('/') && isNews(path))
  const empty = untracked.filter((path) => isEmpty(join(workTree.path, path)))
  const others: LeftOutside[] = [
    ...submodules,
    ...empty.map((path): LeftOutside => ({ kind: 'empty-folder', path })),
  ].slice(0, mostNamed)
  // The other kinds are few, so a long list of files must not displace them.
  const named = files.slice(0, mostNamed - others.length)
  const rules = await rulesFor(named, workTree, mark)
  return [...named.map((path): LeftOutside => ({ kind: 'ignored', path, by: rules.get(path) ?? null })), ...others]
}

const listScript = [
  'git ls-files -z --others --ignored --exclude-standard || exit',
  String.raw`printf '\0\0\0'`,
  'exec git ls-files -z --others --directory',
].join('\n')

function isBrought(path: string, manifest: Manifest | null): boolean {
  return manifest !== null && Object.hasOwn(manifest.entries, path.replace(/\/$/, ''))
}

const cachesLast = (paths: readonly string[]): string[] => [
  ...paths.filter((path) => !isCache(path)),
  ...paths.filter(isCache),
]

/** Whether there is no file anywhere below the folder. */
function isEmpty(folder: string): boolean {
  const waiting = [folder]
  for (let next = waiting.pop(), n = 0; next !== undefined; next = waiting.pop(), n++) {
    if (n > mostFolders) return false
    for (const name of namesIn(next)) {
      const path = join(next, name)
      if (!ifExists(() => lstatSync(path), path)?.isDirectory()) return false
      waiting.push(path)
    }
  }
  return true
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return ['?']
  }
}

/**
 * The rule that ignores each file, as `.gitignore:1`. Only rules in the work tree and in `.git/info/exclude` are named.
 */
async function rulesFor(paths: readonly string[], workTree: WorkTree, mark: string): Promise<Map<string, string>> {
  const rules = new Map<string, string>()
  if (paths.length === 0) return rules
  const input = paths.map((path) => `${path}\0`).join('')
  const tokens = (await tryGit(['check-ignore', '-v', '-z', '--stdin'], { workTree, mark, input })).stdout.split('\0')
  for (let at = 0; at + 3 < tokens.length; at += 4) {
    const [source = '', line = '', , path = ''] = tokens.slice(at, at + 4)
    if (source !== '' && !source.startsWith('/')) rules.set(path, `${source}:${line}`)
    else if (source.endsWith('/info/exclude')) rules.set(path, `.git/info/exclude:${line}`)
  }
  return rules
}

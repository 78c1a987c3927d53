/** Finds the repository around the current folder and reads the state of its checkout. */
import { firstNames } from '../../model/and-more.ts'
import { LooperError } from '../../model/error.ts'
import { plain } from '../../views/text/plain-text.ts'
import { git, gitError, tryGit } from './git.ts'
import { backlogFile } from '../clones/excludes.ts'

export interface Repository {
  /** The root of the checkout. */
  root: string
  gitDir: string
  /** The commit at HEAD. */
  head: string
  /** Null when HEAD is detached. */
  branch: string | null
}

export interface Changes {
  /** Tracked files that differ from HEAD, staged or not. */
  tracked: string[]
  untracked: string[]
}

const oldestGit = [2, 38] as const
/** One call for all values. Git prints them line by line and stops at the first that the repository does not have. */
const whereabouts = [
  '--is-bare-repository',
  '--absolute-git-dir',
  '--show-toplevel',
  'HEAD^{commit}',
  '--symbolic-full-name',
  'HEAD',
]

export async function findRepository(cwd: string): Promise<Repository> {
  const [version, found] = await Promise.all([
    git(['version'], { cwd }),
    tryGit(['rev-parse', ...whereabouts], { cwd }),
  ])
  refuseOldGit(version)
  const [bare, gitDir, root, head, ref] = found.stdout.split('\n')
  if (gitDir === undefined || gitDir === '') throw notFound(cwd, found)
  if (bare === 'true')
    throw new LooperError('ENVIRONMENT_BARE_REPOSITORY', `${plain(gitDir)} is a bare repository, without a checkout.`)
  if (root === undefined || root === '') {
    const hint = 'Change to the checkout and try again.'
    throw new LooperError('ENVIRONMENT_NOT_A_REPOSITORY', `${plain(cwd)} is inside a git directory.`, { hint })
  }
  if (found.exitCode !== 0 || head === undefined)
    throw new LooperError('ENVIRONMENT_NO_COMMIT', 'This repository has no commit yet.')
  return { root, gitDir, head, branch: ref?.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : null }
}

export interface Survey extends Changes {
  repository: Repository
  /** Names of existing runs, taken from their branches and refs without `looper/`. A new run must not use them. */
  taken: string[]
  /** A branch named `looper` exists, so git cannot create branches `looper/…`. */
  barred: boolean
}

/** Reads everything that a new run needs, concurrently. */
export async function survey(cwd: string): Promise<Survey> {
  const [changed, refs] = [changes(cwd), looperRefs(cwd)]
  for (const asked of [changed, refs]) asked.catch(() => {})
  const repository = await findRepository(cwd)
  const names = (await refs).flatMap((ref) => /^refs\/(?:heads\/)?looper\/([^/]+)/.exec(ref)?.[1] ?? [])
  return {
    repository,
    ...(await changed),
    taken: [...new Set(names)],
    barred: (await refs).includes('refs/heads/looper'),
  }
}

/** Lists uncommitted changes without writing anything, not even a refreshed index. */
export async function changes(root: string): Promise<Changes> {
  const entries = await changedEntries(root, 'normal')
  const paths = (untracked: boolean): string[] =>
    entries.filter(({ code }) => (code === '??') === untracked).map(({ path }) => path)
  return { tracked: paths(false), untracked: paths(true) }
}

/** In-place mode requires unmodified tracked files, except the backlog, which Looper itself writes. */
export function refuseDirty(tracked: readonly string[], backlog: string = backlogFile): void {
  const modified = tracked.filter((path) => path !== backlog)
  if (modified.length === 0) return
  const named = firstNames(
    modified.map((path) => plain(path)),
    3,
  )
  const message = `In-place mode needs a clean checkout, but these files are modified: ${named}.`
  throw new LooperError('WORKSPACE_DIRTY', message, { details: { modified } })
}

export function refuseBranch(barred: boolean): void {
  if (barred)
    throw new LooperError(
      'WORKSPACE_BRANCH',
      'A branch named "looper" blocks run branches, which are named looper/<run>.',
    )
}

const looperRefs = async (cwd: string): Promise<string[]> =>
  (await git(['for-each-ref', '--format=%(refname)', 'refs/heads/looper', 'refs/looper'], { cwd })).split('\n')

/** Changed and untracked files. `normal` lists a folder without tracked files as one entry. */
export async function changedEntries(
  root: string,
  untracked: 'normal' | 'all',
): Promise<{ code: string; path: string }[]> {
  const args = [
    'status',
    '--porcelain=v1',
    '-z',
    '--no-renames',
    `--untracked-files=${untracked}`,
    '--ignore-submodules=untracked',
  ]
  const listed = await git(args, { cwd: root })
  return listed
    .split('\0')
    .filter((entry) => entry !== '')
    .map((entry) => ({ code: entry.slice(0, 2), path: entry.slice(3) }))
}

function notFound(cwd: string, result: Awaited<ReturnType<typeof tryGit>>): LooperError {
  if (/not a git repository/i.test(result.stderr))
    return new LooperError('ENVIRONMENT_NOT_A_REPOSITORY', `${plain(cwd)} is not in a git repository.`)
  const error = gitError(['rev-parse'], result)
  if (error.code !== 'WORKSPACE_GIT' || result.exitCode === null) return error
  const [, folder] = /dubious ownership in repository at '(.*)'/.exec(result.stderr) ?? []
  if (folder === undefined) return new LooperError('ENVIRONMENT_REPOSITORY', error.message)
  return new LooperError(
    'ENVIRONMENT_REPOSITORY',
    `${plain(folder)} belongs to another user, so git does not open it.`,
    { hint: `If you trust it: git config --global --add safe.directory '${plain(folder)}'` },
  )
}

function refuseOldGit(version: string): void {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(version) ?? []
  const [needMajor, needMinor] = oldestGit
  if (Number(major) > needMajor || (Number(major) === needMajor && Number(minor) >= needMinor)) return
  throw new LooperError('ENVIRONMENT_NO_GIT', `${plain(version)} is too old.`)
}

/** Real repositories in temporary folders, for the tests of this folder. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Config } from '../../src/model/config.ts'
import { ensureLooperFolder } from '../../src/workspace/looper-folder.ts'
import { chooseWorkspacesFolder } from '../../src/workspace/workspaces-folder.ts'
import type { WorktreeOptions } from '../../src/workspace/worktree-options.ts'
import { createWorktrees } from '../../src/workspace/worktrees.ts'

export interface Repository {
  root: string
  git(...args: string[]): string
  write(path: string, content: string | Buffer): void
  read(path: string): string
  commit(message: string): string
}

/** Permissions do not bind root: for the rest of the test, this process has no special rights. */
export function dropPrivileges(): void {
  if (process.getuid?.() !== 0) return
  process.seteuid?.(65534)
  onTestFinished(() => process.seteuid?.(0))
}

/** Node removes it without another process, except where a path is longer than the kernel takes. */
function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    execFileSync('rm', ['-rf', folder])
  }
}

export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'looper-workspace-')))
  onTestFinished(() => removeFolder(folder))
  return folder
}

const quietConfig =
  '[user]\n\tname = Ada\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n[protocol "file"]\n\tallow = always\n'

/** The machine's own git configuration must not decide whether a test passes. */
export function useGitConfig(content: string = quietConfig): string {
  const folder = temporaryFolder()
  const file = join(folder, 'gitconfig')
  writeFileSync(file, content)
  Object.assign(process.env, {
    GIT_CONFIG_GLOBAL: file,
    GIT_CONFIG_NOSYSTEM: '1',
    XDG_CONFIG_HOME: join(folder, 'xdg'),
  })
  return folder
}

export function openRepository(root: string): Repository {
  const git = (...args: string[]): string => {
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^GIT_(?!CONFIG_)/.test(name)))
    return execFileSync('git', args, { cwd: root, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).replace(
      /\n$/,
      '',
    )
  }
  return {
    root,
    git,
    write(path, content) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), content)
    },
    read: (path) => readFileSync(join(root, path), 'utf8'),
    commit(message) {
      git('add', '--all')
      git('commit', '--quiet', '--allow-empty', '--no-verify', '--no-gpg-sign', '-m', message)
      return git('rev-parse', 'HEAD')
    },
  }
}

/** A repository with two committed files, in a folder whose name has a space. */
export function makeRepository(
  files: Record<string, string> = { 'a.txt': 'one\ntwo\nthree\n', 'src/b.txt': 'b\n' },
): Repository {
  useGitConfig()
  const root = join(temporaryFolder(), 'my repo')
  mkdirSync(root)
  const repository = openRepository(root)
  repository.git('init', '--quiet')
  for (const [path, content] of Object.entries(files)) repository.write(path, content)
  repository.commit('Start')
  return repository
}

export const workspaceConfig: Config['workspace'] = { mode: 'worktree', setup: null, copy: [], commit: true }

export type Worktrees = ReturnType<typeof createWorktrees>

export async function makeWorktrees(
  repository: Repository,
  options: Partial<WorktreeOptions> = {},
): Promise<Worktrees> {
  const { root } = repository
  const run = options.run ?? '001-demo'
  await ensureLooperFolder(root)
  return createWorktrees({
    root,
    runDir: join(root, '.looper/runs', run),
    run,
    branch: 'looper/001-demo',
    setup: [],
    mark: (workId) => `test:${workId}:1`,
    ...options,
    base: options.base ?? repository.git('rev-parse', 'HEAD'),
    workspace: { ...(options.workspace ?? workspaceConfig), folder: join(root, '../workspaces') },
  })
}

/** Where the workspaces of a run are. */
export const workspacesOf = ({ root }: Repository, run = '001-demo'): string =>
  chooseWorkspacesFolder(root, run, join(root, '../workspaces'))

/** Everything of a checkout that must not change: files with their times, index, HEAD, branches, stash. */
export function fingerprint({ root, git }: Repository, ignoring: readonly string[] = ['.looper']): string {
  const describeFile = (path: string): string[] => {
    const stat = lstatSync(join(root, path))
    if (stat.isDirectory()) return walk(path)
    const content = stat.isSymbolicLink() ? readlinkSync(join(root, path)) : readFileSync(join(root, path))
    return [`${path} ${stat.mode} ${stat.mtimeMs} ${createHash('sha256').update(content).digest('hex')}`]
  }
  const walk = (folder: string): string[] => {
    const names = readdirSync(join(root, folder)).filter((name) => name !== '.git' && !ignoring.includes(name))
    return names.toSorted().flatMap((name) => describeFile(join(folder, name)))
  }
  const index = resolve(root, git('rev-parse', '--git-path', 'index'))
  const refs = git('for-each-ref', '--format=%(refname) %(objectname)')
    .split('\n')
    .filter((ref) => !/^refs\/(heads\/)?looper\//.test(ref))
  return JSON.stringify({
    files: walk('.'),
    refs,
    index: existsSync(index) ? createHash('sha256').update(readFileSync(index)).digest('hex') : null,
    head: git('rev-parse', '--symbolic-full-name', 'HEAD'),
    stash: git('stash', 'list'),
    config: readFileSync(resolve(root, git('rev-parse', '--git-path', 'config')), 'utf8'),
  })
}

/** The user's git hooks: found for a notice, and run on request for the commits that `looper apply` makes. */
import { accessSync, constants, statSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { LooperError } from '../../model/error.ts'
import { runProcess } from '../../platform/run-process.ts'
import { plain, plainBlock } from '../../views/text/plain-text.ts'
import type { Change } from '../git/change.ts'
import { cleanEnvironment, git, tryGit, type GitCall } from '../git/git.ts'
import { gitDirsOf } from '../clones/worktree-link.ts'
import { makeLinks, naming, type NewLink } from './apply-commits.ts'

/** Hooks that git runs for a commit. */
const commitHooks = ['pre-commit', 'pre-merge-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit'] as const
/** Those of them that Looper can run. */
export type RunnableHook = 'pre-commit' | 'commit-msg'

/** The folder of the hooks: `core.hooksPath` of the user's own configuration, else the usual one. */
async function hooksFolder(root: string): Promise<string> {
  const { stdout } = await tryGit(['config', '-z', '--show-scope', '--type=path', '--get-all', 'core.hooksPath'], {
    cwd: root,
  })
  const tokens = stdout.split('\0')
  // Looper's own setting has the scope `command`.
  const own = tokens.flatMap((token, at) =>
    at % 2 === 0 && token !== '' && token !== 'command' ? [tokens[at + 1] ?? ''] : [],
  )
  const configured = own.at(-1) ?? ''
  return configured === '' ? join(gitDirsOf(root).commonDir, 'hooks') : resolve(root, configured)
}

/** The names of the hooks that git would run for a commit in this repository. */
export async function findCommitHooks(root: string): Promise<string[]> {
  const folder = await hooksFolder(root)
  return commitHooks.filter((name) => isExecutable(join(folder, name)))
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** Throws WORKSPACE_APPLY when the run changes the hooks that would be run: agents wrote them. */
export async function refuseChangedHooks(root: string, changes: readonly Change[], run: string): Promise<void> {
  const folder = relative(root, await hooksFolder(root))
  if (folder.startsWith('..')) return
  const changed = changes.map(({ path }) => path).filter((path) => path.startsWith(`${folder}/`))
  if (changed.length === 0) return
  throw new LooperError('WORKSPACE_APPLY', `The run changes your git hooks: ${naming(changed)}. Nothing was changed.`, {
    hint: `Review them (looper diff ${plain(run)}), then apply without them: looper apply ${plain(run)} --hooks skip`,
  })
}

export interface HookRun {
  root: string
  run: string
  env: NodeJS.ProcessEnv
  signal?: AbortSignal | undefined
  call: GitCall
}

/**
 * Runs the hooks in the checkout, whose index and files have the result already. Returns the commit to move to, with
 * the messages as the hooks left them. Throws WORKSPACE_APPLY when a hook refuses or changes files.
 */
export async function runHooks(head: string, links: readonly NewLink[], target: string, how: HookRun): Promise<string> {
  const { root, call } = how
  const before = await differing(target, call)
  await runHook('pre-commit', [], how)
  const changed = (await differing(target, call)).filter((path) => !before.includes(path))
  if (changed.length > 0) throw edited(changed, how)
  const file = join(gitDirsOf(root).gitDir, 'COMMIT_EDITMSG')
  const worded: NewLink[] = []
  for (const link of links) {
    await writeFile(file, link.message)
    await runHook('commit-msg', [file], how)
    const message = await readFile(file, 'utf8')
    if (message.trim() === '') throw refusal('commit-msg', 'left an empty message', '', how)
    worded.push({ ...link, message })
  }
  return worded.every(({ message }, at) => message === links[at]?.message) ? target : makeLinks(head, worded, call)
}

async function runHook(name: RunnableHook, args: readonly string[], how: HookRun): Promise<void> {
  const { root, env, signal } = how
  const { exitCode, started, stdout, stderr, aborted } = await runProcess({
    argv: ['git', 'hook', 'run', '--ignore-missing', name, '--', ...args],
    cwd: root,
    env: { ...cleanEnvironment(env), GIT_EDITOR: ':' },
    ...(signal ? { signal } : {}),
  })
  if (aborted || signal?.aborted === true) throw refusal(name, 'was interrupted', '', how)
  if (!started || exitCode !== 0)
    throw refusal(name, `refused (exit ${exitCode ?? 'by a signal'})`, stdout + stderr, how)
}

/** Files that differ from the target in the index or on the disk. */
async function differing(target: string, call: GitCall): Promise<string[]> {
  const listed = async (args: readonly string[]): Promise<string[]> =>
    (await git([...args, '--name-only', '-z', '--ignore-submodules'], call)).split('\0').filter((path) => path !== '')
  await tryGit(['update-index', '-q', '--refresh'], call)
  return [...(await listed(['diff-index', '--cached', target])), ...(await listed(['diff-files']))]
}

const withoutHooks = ({ run }: HookRun): string => `Apply without hooks: looper apply ${plain(run)} --hooks skip`

const edited = (paths: readonly string[], how: HookRun): LooperError =>
  new LooperError(
    'WORKSPACE_APPLY',
    `Your hook pre-commit changed ${naming(paths)}: that is not the tree that was checked. Nothing was changed.`,
    { hint: `${withoutHooks(how)}, then commit what the hook changes.` },
  )

const mostLines = 20

function refusal(name: RunnableHook, what: string, output: string, how: HookRun): LooperError {
  const lines = output.trim() === '' ? [] : plainBlock(output).trimEnd().split('\n').slice(-mostLines)
  return new LooperError('WORKSPACE_APPLY', `Your hook ${name} ${what}. Nothing was changed.`, {
    hint: `Fix what it reports. ${withoutHooks(how)}`,
    details: { lines },
  })
}

/** `looper branch`: pushes the branch of a run to a remote, with the user's own git. */
import type { BranchRequest, PushedBranch } from '../../api/publish.ts'
import { LooperError } from '../../model/error.ts'
import type { RunState } from '../../model/state.ts'
import { plain, plainBlock } from '../../views/text/plain-text.ts'
import { git, tryGit } from '../../workspace/git/git.ts'
import { tipOf } from '../../workspace/landing/review.ts'
import type { AppContext } from '../context.ts'
import { pushTarget, runAsUser, withoutPasswords } from '../release/release-git.ts'
import { recount } from '../runs/recount.ts'
import { refuseContradicted } from '../runs/refuse-contradicted.ts'
import { runOf } from '../runs/runs.ts'

/** A branch that can be pushed: everything that can be refused without the remote has been checked. */
export interface ReadyBranch {
  state: RunState
  remote: string
  name: string
  commit: string
}

export async function readyBranch(
  context: AppContext,
  root: string,
  id: string,
  { remote, name, force }: BranchRequest,
): Promise<ReadyBranch> {
  const recounted = await recount(runOf(root, id))
  const { state } = recounted
  refuseUnfit(state, id, force)
  const commit = await tipOf(root, state.branch, state.run)
  if (commit === state.base.commit)
    throw new LooperError('USAGE_RUN_STATE', `${id} has landed no changes: there is nothing to push.`, {
      hint: `\`looper report ${id}\` shows what it did.`,
    })
  await refuseContradicted(context, root, recounted, commit, 'Nothing was pushed.')
  return { state, remote: await remoteFor(root, remote), name: await branchName(root, name ?? state.branch), commit }
}

function refuseUnfit({ config, status }: RunState, id: string, force: boolean): void {
  if (status === 'new') throw new LooperError('USAGE_RUN_STATE', `${id} never started.`)
  if (config.workspace.mode === 'in-place')
    throw new LooperError('USAGE_RUN_STATE', `${id} worked in place: it has no branch of its own.`, {
      hint: 'Its changes are in your checkout: commit and push them with git.',
    })
  if (status !== 'completed' && !force)
    throw new LooperError('USAGE_RUN_STATE', `${id} is not completed.`, {
      hint: `Resume it (looper resume ${id}), or push what it has landed so far: --force`,
    })
}

async function remoteFor(root: string, wanted: string | null): Promise<string> {
  const current = await tryGit(['symbolic-ref', '--quiet', '--short', 'HEAD'], { cwd: root })
  const target = await pushTarget(root, current.stdout.trim(), wanted)
  if (target !== null) return target.remote
  if (wanted !== null)
    throw new LooperError('USAGE_ARGUMENTS', `There is no remote "${plain(wanted, 60)}".`, {
      hint: '`git remote -v` lists them.',
    })
  throw new LooperError('USAGE_RUN_STATE', 'There is no remote to push to.', {
    hint: 'Add one (git remote add origin <url>), or name one: --remote',
  })
}

async function branchName(root: string, name: string): Promise<string> {
  const checked = await tryGit(['check-ref-format', `refs/heads/${name}`], { cwd: root })
  if (checked.exitCode === 0 && !name.startsWith('-')) return name
  throw new LooperError('USAGE_ARGUMENTS', `"${plain(name, 80)}" is no name of a branch.`, {
    hint: 'Use letters, digits, dashes and slashes: --name my-branch',
  })
}

/** Runs the user's own `git push`, with their hooks and credentials. */
export async function pushReady(
  { env }: AppContext,
  root: string,
  { state, remote, name, commit }: ReadyBranch,
  forceWithLease: boolean,
): Promise<PushedBranch> {
  const lease = forceWithLease ? [`--force-with-lease=refs/heads/${name}`] : []
  const { ok, output } = await runAsUser(['git', 'push', ...lease, '--', remote, `${commit}:refs/heads/${name}`], {
    root,
    env,
    signal: new AbortController().signal,
  })
  const lines = withoutPasswords(plainBlock(output)).trimEnd().split('\n')
  if (!ok) throw refusedPush(state.run, remote, lines)
  return {
    run: state.run,
    remote,
    branch: name,
    commit,
    already: lines.some((line) => line.startsWith('Everything up-to-date')),
    said: lines.filter((line) => /^remote: .*\S/.test(line)).map((line) => line.replace(/^remote:\s*/, '')),
  }
}

function refusedPush(run: string, remote: string, lines: readonly string[]): LooperError {
  const isBehind = lines.some((line) => /non-fast-forward|fetch first|stale info/.test(line))
  const hint = isBehind
    ? `It has other commits. Replace them (looper branch ${run} --force-with-lease), or use another name: --name`
    : `Fix what git reports, then run \`looper branch ${run}\` again.`
  return new LooperError('WORKSPACE_PUSH', `git push to ${plain(remote)} failed.`, {
    hint,
    details: { lines: lines.slice(-20) },
  })
}

export async function pushBranch(
  context: AppContext,
  root: string,
  id: string,
  request: BranchRequest,
): Promise<PushedBranch> {
  return pushReady(context, root, await readyBranch(context, root, id, request), request.forceWithLease)
}

/** Whether the branch exists on the remote, as this repository last saw it. */
export const hasTracking = async (root: string, remote: string, name: string): Promise<boolean> =>
  (await git(['for-each-ref', '--format=%(refname)', `refs/remotes/${remote}/${name}`], { cwd: root })) !== ''

/** `looper pr`: pushes the branch of a run and opens a pull request from it, with `gh`. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OpenedPullRequest, PullRequestRequest } from '../../api/publish.ts'
import { LooperError } from '../../model/error.ts'
import { plain, plainBlock } from '../../views/text/plain-text.ts'
import { pullRequestText } from '../../views/report/pull-request.ts'
import type { AppContext } from '../context.ts'
import { findProgram } from '../prepare/locate-agent.ts'
import { maskFor } from '../launch/run-mask.ts'
import { runAsUser, withoutPasswords, type Argv } from '../release/release-git.ts'
import { hasTracking, pushReady, readyBranch } from './push-branch.ts'

export async function openPullRequest(
  context: AppContext,
  root: string,
  id: string,
  request: PullRequestRequest,
): Promise<OpenedPullRequest> {
  const gh = await findProgram('gh', { root, path: context.env['PATH'] ?? '' })
  const ready = await readyBranch(context, root, id, request)
  const { state, remote, name } = ready
  if (gh === null)
    throw new LooperError('ENVIRONMENT_NO_GH', 'gh, the program that opens pull requests, is not installed.', {
      hint:
        `Install it (https://cli.github.com), or push the branch and open the pull request in the browser: `
        + `looper branch ${state.run}`,
    })
  const pushed = await pushReady(context, root, ready, request.forceWithLease)
  const mask = maskFor(context, root, state.config.secrets)
  const { title, body } = pullRequestText(state)
  const started = state.base.branch
  const base = request.base ?? (started !== null && (await hasTracking(root, remote, started)) ? started : null)
  const folder = await mkdtemp(join(tmpdir(), 'looper-pr-'))
  try {
    const file = join(folder, 'body.md')
    await writeFile(file, mask(body))
    const argv: Argv = [
      gh,
      'pr',
      'create',
      '--head',
      name,
      ...(base === null ? [] : ['--base', base]),
      '--title',
      mask(title),
      '--body-file',
      file,
      ...(request.draft ? ['--draft'] : []),
    ]
    const { ok, output } = await runAsUser(argv, { root, env: context.env, signal: new AbortController().signal })
    const lines = withoutPasswords(plainBlock(mask(output)))
      .trimEnd()
      .split('\n')
    const url = lines.flatMap((line) => /https?:\/\/\S+/.exec(line)?.[0] ?? []).at(-1)
    const open = !ok && lines.some((line) => line.includes('already exists'))
    if ((!ok && !open) || url === undefined) throw failed(state.run, pushed.branch, lines)
    return { ...pushed, url, title: plain(title), open }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const failed = (run: string, branch: string, lines: readonly string[]): LooperError =>
  new LooperError('WORKSPACE_PUSH', `gh could not open a pull request; ${plain(branch)} is pushed.`, {
    hint: `Fix what gh reports (\`gh auth status\` shows your login), then run \`looper pr ${run}\` again.`,
    details: { lines: lines.slice(-20) },
  })

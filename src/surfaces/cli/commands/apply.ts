/** `looper apply`: merges the changes of a run into the user's branch. */
import type { ApplyRequest } from '../../../api/review.ts'
import { LooperError } from '../../../api/error.ts'
import { accepting } from '../accept-settings.ts'
import { runArgument, type CommandSpec } from '../command.ts'
import type { CliContext } from '../context.ts'
import { plain } from '../../../views/text/plain-text.ts'
import { say } from '../say.ts'

interface Options {
  merge?: boolean
  squash?: boolean
  rebase?: boolean
  check?: boolean
  force?: boolean
  hooks?: string
  settings?: boolean
}

export const command: CommandSpec<Options> = {
  arguments: [runArgument],
  options: [
    ['--merge', 'merge it; a fast-forward where your branch has not moved (default: apply.style)'],
    ['--squash', 'make one commit of it, with the goal and the tasks as message', { conflicts: 'merge' }],
    ['--rebase', 'replay its commits on your branch', { conflicts: 'squash' }],
    ['--check', 'run every check on the result first, also where your branch has not moved'],
    ['--no-check', 'do not run checks, although your branch has moved'],
    ['--force', 'apply the result although a check is red on it'],
    ['--hooks <run|skip>', 'run your pre-commit and commit-msg hooks for the commits (default: workspace.hooks)'],
    ['--settings', 'also use settings that changed while the run was under way'],
  ],
  examples: [
    ['looper diff && looper apply', 'reviews, then applies'],
    ['looper apply --check', 'runs the checks on the result, also where your branch has not moved'],
    ['looper apply 3 --squash', 'makes one commit of run 3'],
  ],
  async run(context, [run = null], { settings: given = false, ...options }) {
    const request = requestOf(options)
    const text = await interruptibly(context, (signal) =>
      accepting(context, given, (settings) => applied(context, run, { ...request, signal }, settings)),
    )
    if (text === null) return 130
    say(context, text)
    return 0
  },
}

function requestOf({ merge, squash, rebase, check, force, hooks }: Options): ApplyRequest {
  if (merge === true && rebase === true)
    throw new LooperError('USAGE_ARGUMENTS', '--merge and --rebase exclude each other', { hint: 'Leave one out.' })
  if (hooks !== undefined && hooks !== 'run' && hooks !== 'skip')
    throw new LooperError('USAGE_ARGUMENTS', `--hooks takes run or skip, not '${plain(hooks, 40)}'`)
  const style = squash === true ? 'squash' : rebase === true ? 'rebase' : merge === true ? 'merge' : null
  return {
    ...(style === null ? {} : { style }),
    ...(check === undefined ? {} : { check }),
    ...(force === true ? { force } : {}),
    ...(hooks === undefined ? {} : { hooks }),
  }
}

const applied = (
  { app, err, paint }: CliContext,
  run: string | null,
  request: ApplyRequest,
  settings: boolean,
): Promise<string> =>
  app.apply(run, {
    ...request,
    ...(settings ? { settings } : {}),
    onCheck: (name) => err.write(`${paint.faint('…')} check ${plain(name, 80)}\n`),
  })

/** Null when the user interrupted it: a hook that is under way is ended, and the checkout is put back first. */
async function interruptibly<T>({ io, err }: CliContext, act: (signal: AbortSignal) => Promise<T>): Promise<T | null> {
  const stop = new AbortController()
  const offs = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((name) => io.onSignal(name, () => stop.abort()))
  try {
    return await act(stop.signal)
  } catch (error) {
    if (!stop.signal.aborted || !(error instanceof LooperError)) throw error
    err.write(`${plain(error.message)}\n`)
    return null
  } finally {
    for (const off of offs) off()
  }
}

/**
 * Shared by all commands that start or resume a run: prepares the request, then performs it here or in a separate
 * process.
 */
import { plain } from '../../views/plain-text.ts'
import type { PreparedRun, RunRequest, Runs } from '../../api/runs.ts'
import { accepting } from './accept-settings.ts'
import type { Context } from './context.ts'
import type { OptionLine } from './option.ts'
import { performRun, type PerformOptions } from './perform-run.ts'

export interface RequestOptions extends PerformOptions {
  detach?: boolean
  tmux?: boolean
  yes?: boolean
}

export const requestOptions: readonly OptionLine[] = [
  ['-d, --detach', 'run in the background, in a process that outlives this terminal'],
  ['--tmux', 'run in the background, in a tmux session'],
  ['--dry-run', 'show what would happen and stop'],
  ['--apply', 'merge the changes into your branch when the run completes'],
  ['--json', 'print each event as a line of JSON; with -d, what was started'],
  ['-q, --quiet', 'print only the summary; with -d, the id of the run'],
]

/** What `--settings` does when a run is resumed. */
export const settingsText =
  'use the current configuration for set-up, copied files and hooks, and settings that changed while the run was under '
  + 'way'

/** Options of commands that may stop a live run first. */
export const forceOptions = (about: string): OptionLine[] => [
  ['--force', about],
  ['-y, --yes', 'with --force: do not ask'],
]

/** Returns the exit code. */
export async function requestRun(context: Context, asked: RunRequest, options: RequestOptions): Promise<number> {
  const { request, prepared } = await accepting(context, isAccepting(asked), async (settings) => {
    const request = settings ? accepted(asked) : asked
    return { request, prepared: await prepareRequest(context.app, request) }
  })
  if (options.dryRun !== true && options.yes !== true && !(await mayStop(context, prepared))) {
    context.err.write('Nothing was stopped.\n')
    return 1
  }
  if (options.dryRun === true || (options.detach !== true && options.tmux !== true))
    return performRun(context, prepared, options)
  return (await import('./detach-run.ts')).detachRun(context, request, prepared, options)
}

const isAccepting = (request: RunRequest): boolean => request.do !== 'run' && request.options.settings === true

/** The request with the person's consent to changed settings. */
const accepted = (request: RunRequest): RunRequest =>
  request.do === 'run' ? request : { ...request, options: { ...request.options, settings: true } }

/** Without a terminal, --force is enough. */
async function mayStop(context: Context, { stops = [] }: PreparedRun): Promise<boolean> {
  if (stops.length === 0) return true
  const { canAsk, confirm } = await import('./confirm.ts')
  return (
    !canAsk(context)
    || confirm(context, `Stop ${plain(stops.join(' and '))}, which ${stops.length === 1 ? 'is' : 'are'} under way?`)
  )
}

export function prepareRequest(app: Runs, request: RunRequest): Promise<PreparedRun> {
  switch (request.do) {
    case 'run':
      return app.prepareRun(request.request)
    case 'resume':
      return app.prepareResume(request.run, request.options)
    case 'session':
      return app.prepareSession(request.session, request.options)
  }
}

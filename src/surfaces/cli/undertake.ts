/**
 * What all commands that start a run or go on with one share: made ready here, then performed here or by a process of
 * its own.
 */
import type { Command } from 'commander'
import { plain } from '../../views/plain-text.ts'
import type { App, PreparedRun, Undertaking } from './app.ts'
import type { Context } from './context.ts'
import { performRun, type PerformOptions } from './perform-run.ts'

export interface UndertakeOptions extends PerformOptions {
  detach?: boolean
  tmux?: boolean
  yes?: boolean
}

export function addUndertakeFlags(command: Command): void {
  command
    .option('-d, --detach', 'leave the run to a process of its own, which outlives this terminal')
    .option('--tmux', 'the same in a tmux session, where it can be watched')
    .option('--dry-run', 'show what would happen and stop')
    .option('--apply', 'bring the changes into your branch when the run completes')
    .option('--json', 'print each event as a line of JSON; with -d, what was started')
    .option('-q, --quiet', 'print nothing but the summary; with -d, the id of the run')
}

/** For what can be in the way of a new run. */
export function addForceFlags(command: Command, force: string): void {
  command.option('--force', force).option('-y, --yes', 'with --force: do not ask')
}

/** Returns the exit code. */
export async function undertake(context: Context, what: Undertaking, options: UndertakeOptions): Promise<number> {
  const prepared = await prepare(context.app, what)
  if (options.dryRun !== true && options.yes !== true && !(await mayStop(context, prepared))) {
    context.err.write('Nothing was stopped.\n')
    return 1
  }
  if (options.dryRun === true || (options.detach !== true && options.tmux !== true))
    return performRun(context, prepared, options)
  return (await import('./detach-run.ts')).detachRun(context, what, prepared, options)
}

/** Where nobody can be asked, having said --force is enough. */
async function mayStop(context: Context, { stops = [] }: PreparedRun): Promise<boolean> {
  if (stops.length === 0) return true
  const { canAsk, confirm } = await import('./confirm.ts')
  return (
    !canAsk(context)
    || confirm(context, `Stop ${plain(stops.join(' and '))}, which ${stops.length === 1 ? 'is' : 'are'} under way?`)
  )
}

export function prepare(app: App, what: Undertaking): Promise<PreparedRun> {
  switch (what.do) {
    case 'run':
      return app.prepareRun(what.request)
    case 'resume':
      return app.prepareResume(what.run, what.options)
    case 'session':
      return app.prepareSession(what.session, what.options)
  }
}

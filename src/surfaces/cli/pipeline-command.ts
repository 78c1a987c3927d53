/** What the commands that walk a pipeline share: the session they run in, and how to go on with one. */
import type { Command } from 'commander'
import { LooperError } from '../../model/error.ts'
import type { Context } from './context.ts'
import { addConfigFlags, configFlags, limitFlags } from './config-flags.ts'
import { performRun, type PerformOptions } from './perform-run.ts'
import { wholeNumber } from './whole-number.ts'

export interface PipelineOptions extends PerformOptions, Record<string, unknown> {
  resume?: boolean
  force?: boolean
  goal?: string
  apply?: boolean
}

export function addPipelineFlags(command: Command): void {
  command
    .option('--goal <text>', 'what the session is for')
    .option('--resume', 'go on where the session broke off')
    .option('--force', 'start anew: stops the live run of the session, leaves the broken one as it is')
    .option('--dry-run', 'show what would happen and stop')
    .option('--apply', 'bring the changes into your branch when the run completes')
    .option('--json', 'print each event as a line of JSON')
    .option('-q, --quiet', 'print nothing but the summary')
  addConfigFlags(command)
}

interface Wanted {
  pipeline: string
  session: string
  runs: string | undefined
}

/** Returns the exit code. */
export async function walk(context: Context, { pipeline, session, runs }: Wanted, options: PipelineOptions): Promise<number> {
  const { app } = context
  if (options.resume && options.force) throw new LooperError('USAGE_ARGUMENTS', '--resume and --force exclude each other', {
    hint: 'Give one of them.',
  })
  const apply = options.apply === true
  if (options.resume) {
    const prepared = await app.prepareSession(session, { limits: limitFlags(options), apply })
    return performRun(context, prepared, options)
  }
  const prepared = await app.prepareRun({
    goal: (options.goal ?? '').trim(), session,
    pipeline: { name: pipeline, runs: runs === undefined ? null : wholeNumber('iterations', runs) },
    force: options.force === true, flags: configFlags(options), apply,
  })
  return performRun(context, prepared, options)
}

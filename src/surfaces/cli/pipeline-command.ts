/** Shared by the commands that run a pipeline: the session, and how to resume it. */
import type { Command } from 'commander'
import { LooperError } from '../../api/error.ts'
import type { Context } from './context.ts'
import { configFlags, limitFlags } from './config-flags.ts'
import { addForceFlags, addRequestFlags, requestRun, settingsText, type RequestOptions } from './request-run.ts'
import { wholeNumber } from './whole-number.ts'

export interface PipelineOptions extends RequestOptions, Record<string, unknown> {
  resume?: boolean
  force?: boolean
  goal?: string
  apply?: boolean
  settings?: boolean
}

export function addPipelineFlags(command: Command): void {
  command
    .option('--goal <text>', 'what the session is for')
    .option('--resume', 'go on where the session broke off')
    .option('--settings', `with --resume: ${settingsText}`)
  addForceFlags(command, 'start anew: stops the live run of the session or backlog, leaves the broken one as it is')
  addRequestFlags(command)
}

interface Wanted {
  pipeline: string
  session: string
  runs: string | undefined
}

/** Returns the exit code. */
export async function walk(
  context: Context,
  { pipeline, session, runs }: Wanted,
  options: PipelineOptions,
): Promise<number> {
  if (options.resume && options.force)
    throw new LooperError('USAGE_ARGUMENTS', '--resume and --force exclude each other', { hint: 'Give one of them.' })
  const apply = options.apply === true
  if (options.resume) {
    const settings = options.settings === true ? { settings: true } : {}
    const how = { limits: await limitFlags(context, options), apply, ...settings }
    return requestRun(context, { do: 'session', session, options: how }, options)
  }
  const request = {
    goal: (options.goal ?? '').trim(),
    session,
    pipeline: { name: pipeline, runs: runs === undefined ? null : wholeNumber('iterations', runs) },
    force: options.force === true,
    flags: await configFlags(context, options),
    apply,
  }
  return requestRun(context, { do: 'run', request }, options)
}

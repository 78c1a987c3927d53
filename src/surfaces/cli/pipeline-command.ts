/** Shared by the commands that run a pipeline: the session, and how to resume it. */
import { LooperError } from '../../api/error.ts'
import type { CliContext } from './context.ts'
import { configFlags, limitFlags } from './config-flags.ts'
import type { OptionLine } from './option.ts'
import {
  forceOption,
  modelOf,
  modelOption,
  requestOptions,
  requestRun,
  settingsText,
  type RequestOptions,
} from './request-run.ts'
import { wholeNumber } from './whole-number.ts'

export interface PipelineOptions extends RequestOptions, Record<string, unknown> {
  resume?: boolean
  force?: boolean
  goal?: string
  model?: string
  apply?: boolean
  settings?: boolean
}

export const pipelineOptions: readonly OptionLine[] = [
  ['--goal <text>', 'the goal of the session'],
  modelOption,
  ['--resume', 'resume the session where it stopped'],
  ['--settings', `with --resume: ${settingsText}`],
  forceOption('start a new run: stop the live run of the session or backlog, leave a crashed one as it is'),
  ...requestOptions,
]

interface Wanted {
  pipeline: string
  session: string
  runs: string | undefined
}

/** Returns the exit code. */
export async function walk(
  context: CliContext,
  { pipeline, session, runs }: Wanted,
  options: PipelineOptions,
): Promise<number> {
  if (options.resume && options.force)
    throw new LooperError('USAGE_ARGUMENTS', '--resume and --force cannot be used together', {
      hint: 'Give one of them.',
    })
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
    ...modelOf(options),
    flags: await configFlags(context, options),
    apply,
  }
  return requestRun(context, { do: 'run', request }, options)
}

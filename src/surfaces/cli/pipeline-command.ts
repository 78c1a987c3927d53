/** What the commands that walk a pipeline share: the session they run in, and how to go on with one. */
import type { Command } from 'commander'
import { LooperError } from '../../model/error.ts'
import type { Context } from './context.ts'
import { addConfigFlags, configFlags, limitFlags, type Road } from './config-flags.ts'
import { addForceFlags, addUndertakeFlags, undertake, type UndertakeOptions } from './undertake.ts'
import { wholeNumber } from './whole-number.ts'

export interface PipelineOptions extends UndertakeOptions, Record<string, unknown> {
  resume?: boolean
  force?: boolean
  goal?: string
  apply?: boolean
}

export function addPipelineFlags(command: Command, road: Road = 'pipeline'): void {
  command.option('--goal <text>', 'what the session is for').option('--resume', 'go on where the session broke off')
  addForceFlags(command, 'start anew: stops the live run of the session or backlog, leaves the broken one as it is')
  addUndertakeFlags(command)
  addConfigFlags(command, road)
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
  if (options.resume)
    return undertake(context, { do: 'session', session, options: { limits: limitFlags(options), apply } }, options)
  const request = {
    goal: (options.goal ?? '').trim(),
    session,
    pipeline: { name: pipeline, runs: runs === undefined ? null : wholeNumber('iterations', runs) },
    force: options.force === true,
    flags: configFlags(options),
    apply,
  }
  return undertake(context, { do: 'run', request }, options)
}

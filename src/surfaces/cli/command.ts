/** The exports of each command's file: its arguments, its examples and its function. */
import type { Command } from 'commander'
import type { FlagTable } from './config-flags.ts'
import type { Context } from './context.ts'

export interface CommandSpec<Options = object> {
  /** Adds arguments and options. */
  configure(command: Command): void
  /** Adds the options that set keys of the configuration, for commands that have them. */
  addSettings?(command: Command, table: FlagTable): void
  examples: readonly (readonly [command: string, what: string])[]
  /** Returns the exit code. */
  run(context: Context, args: readonly (string | undefined)[], options: Options): Promise<number>
}

export const runArgument = [
  '[run]',
  'number, id or part of the id of a run, or a session (default: the newest run)',
] as const
/** The run argument of commands that send an order. */
const orderedRun = 'number, id or part of the id of a run, or a session (default: the one under way, else the newest)'
export const orderArgument = ['[run]', orderedRun] as const
export const orderOption = ['--run <run>', orderedRun] as const
export const backlogArgument = ['[file]', 'the backlog file (default: the configured one, else to-do.json)'] as const

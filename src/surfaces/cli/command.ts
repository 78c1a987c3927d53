/** What each command's file exports: its arguments, its examples, and what it does. */
import type { Command } from 'commander'
import type { Context } from './context.ts'

export interface CommandSpec<Options = object> {
  /** Adds arguments and options. */
  configure(command: Command): void
  examples: readonly (readonly [command: string, what: string])[]
  /** Returns the exit code. */
  run(context: Context, args: readonly (string | undefined)[], options: Options): Promise<number>
}

export const runArgument = [
  '[run]',
  'number, id or part of the id of a run, or a session (default: the newest run)',
] as const
/** Of commands that give a run an order. */
const orderedRun = 'number, id or part of the id of a run, or a session (default: the one under way, else the newest)'
export const orderArgument = ['[run]', orderedRun] as const
export const orderOption = ['--run <run>', orderedRun] as const
export const backlogArgument = [
  '[file]',
  'the file of the backlog (default: to-do.json, or what the configuration says)',
] as const

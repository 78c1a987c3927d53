/** The exports of each command's file: its arguments, its options, its examples and its function. */
import type { ArgumentLine } from './argument.ts'
import type { FlagTable } from './config-options.ts'
import type { CliContext } from './context.ts'
import type { OptionLine } from './option.ts'

export interface CommandSpec<Options = object> {
  arguments?: readonly ArgumentLine[]
  options?: readonly OptionLine[]
  /** The options that set keys of the configuration, for commands that have them. */
  settings?(table: FlagTable): OptionLine[]
  examples: readonly (readonly [command: string, what: string])[]
  /** Returns the exit code. */
  run(context: CliContext, args: readonly string[], options: Options): Promise<number>
}

export const runArgument: ArgumentLine = [
  '[run]',
  'number, id or part of the id of a run, or a session (default: the newest run)',
]
/** The run argument of commands that send an order. */
const orderedRun = 'number, id or part of the id of a run, or a session (default: the one under way, else the newest)'
export const orderArgument: ArgumentLine = ['[run]', orderedRun]
export const orderOption: OptionLine = ['--run <run>', orderedRun]
export const backlogArgument: ArgumentLine = [
  '[file]',
  'the backlog file (default: the configured one, else to-do.json)',
]

/** Parses the arguments of one command with commander, and turns its errors into Looper's own. */
import { Command, CommanderError, Option } from 'commander'
import { LooperError } from '../../api/error.ts'
import { align } from '../../views/columns.ts'
import type { CommandSpec } from './command.ts'
import type { FlagTable } from './config-flags.ts'
import type { GlobalOptions } from './context.ts'
import { globalOptions } from './global-options.ts'
import type { Output } from './output.ts'
import type { Parsed } from './parse-quickly.ts'

export interface Request {
  name: string
  summary: string
  spec: CommandSpec
  /** The settings that can be given as flags; empty when the command takes none. */
  table: FlagTable
  args: readonly string[]
}

/** Null when help was printed. Throws USAGE_ARGUMENTS. */
export function parse(request: Request, out: Output, width: number): Parsed | null {
  const command = build(request, out, width)
  try {
    command.parse([...request.args], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return null
    throw usageError(error, request.name)
  }
  return { args: command.processedArgs, options: command.opts<GlobalOptions>() }
}

function build(request: Request, out: Output, width: number): Command {
  const command = commandOf(request).configureOutput({
    writeOut: out.write,
    writeErr: () => {},
    outputError: () => {},
    getOutHelpWidth: () => width,
  })
  const examples = align(request.spec.examples.map(([line, what]) => [`  ${line}`, what]))
  return command.addHelpText('after', `\nExamples:\n${examples.join('\n')}`)
}

const ofEvery = 'Options of every command:'

/** Builds the commander command. */
export function commandOf({ name, summary, spec, table }: Omit<Request, 'args'>): Command {
  const command = new Command(`looper ${name}`)
    .description(sentence(summary))
    .exitOverride()
    .addHelpOption(new Option('-h, --help', 'this help').helpGroup(ofEvery))
    .action(() => {})
  command.optionsGroup('Options:')
  spec.configure(command)
  spec.addSettings?.(command, table)
  for (const { name: option, value, about } of globalOptions)
    command.addOption(new Option(value === null ? option : `${option} ${value}`, about).helpGroup(ofEvery))
  return command
}

const sentence = (summary: string): string => `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`

/** Commander prints `error: what happened`, and on a second line `(Did you mean …?)`. */
function usageError({ message, code }: CommanderError, name: string): LooperError {
  const [what = '', suggestion = ''] = message.replace(/^error: /, '').split('\n')
  const quotes = name === 'run' && code === 'commander.excessArguments'
  const hint = quotes ? 'Put the goal in quotes: looper "what you want".' : suggestion.replace(/^\((.*)\)$/, '$1')
  return new LooperError('USAGE_ARGUMENTS', what, { hint: hint === '' ? `Run \`looper ${name} --help\`.` : hint })
}

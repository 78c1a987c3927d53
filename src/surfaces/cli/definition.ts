/** All arguments and options of a command: its own, those that set its configuration, and those of every command. */
import { argumentOf, type Argument } from './argument.ts'
import type { CommandSpec } from './command.ts'
import { globalOptions, helpOption } from './global-options.ts'
import { optionOf, type Option, type OptionLine } from './option.ts'

export interface Definition {
  name: string
  summary: string
  arguments: Argument[]
  options: Option[]
}

/** `settings`: the options that set keys of the configuration. */
export function define(
  { name, summary }: Pick<Definition, 'name' | 'summary'>,
  spec: Pick<CommandSpec, 'arguments' | 'options'>,
  settings: readonly OptionLine[] = [],
): Definition {
  const own = [...(spec.options ?? []), ...settings].map(optionOf)
  const options = [...own, ...globalOptions, helpOption]
  return { name, summary, arguments: (spec.arguments ?? []).map(argumentOf), options }
}

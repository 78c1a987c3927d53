/** Asks every command, as commander knows it, what it takes. Loads all of them: done once, when Looper is built. */
import type { Argument, Option } from 'commander'
import { configFlags } from '../../../config/flags.ts'
import { keys } from '../../../config/keys.ts'
import type { Spec } from '../../../config/spec.ts'
import { eventTypes } from '../../../core/evolve.ts'
import { builtInWorkflows } from '../../../model/config.ts'
import { logTypes } from '../../../model/log.ts'
import { taskStatuses } from '../../../views/progress.ts'
import { catalogue } from '../catalogue.ts'
import { kinds } from '../commands/lint.ts'
import { depths } from '../commands/refine.ts'
import { commandOf } from '../parse.ts'
import type { ArgumentRow, CommandRow, OptionRow, Source, Value } from './table.ts'

export async function describeCommands(): Promise<CommandRow[]> {
  return Promise.all(
    catalogue.map(async ({ name, summary, load }): Promise<CommandRow> => {
      const { command: spec } = await load()
      const command = commandOf({ name, summary, spec })
      const options = command
        .createHelp()
        .visibleOptions(command)
        .map((option) => optionOf(name, option))
      return { name, about: summary, arguments: command.registeredArguments.map(argumentOf), options }
    }),
  )
}

function argumentOf(argument: Argument): ArgumentRow {
  // The only things that commands know by a bare name are stages and pipelines.
  const placeholder = argument.name() === 'name' ? 'pipeline' : argument.name()
  return { value: valueOf(placeholder, argument), ...(argument.variadic ? { repeats: true } : {}) }
}

function optionOf(command: string, option: Option): OptionRow {
  const names = [option.short, option.long].flatMap((name) => name ?? [])
  const row = { names, about: option.description }
  if (!option.required && !option.optional) return row
  const flag = configFlags.find((candidate) => `--${candidate.flag}` === option.long)
  const value = flag === undefined ? valueOf(placeholderOf(option), option) : settingOf(flag.key)
  // The log has fewer types than the journal.
  const known = command === 'logs' && option.long === '--type' ? { ...value, choices: [...logTypes] } : value
  return { ...row, value: known, ...(option.variadic || flag?.kind === 'list' ? { repeats: true } : {}) }
}

const placeholderOf = ({ flags }: Option): string => /[<[]([\w-]+)/.exec(flags)?.[1] ?? ''

/** What stands for a value in a definition says what it is. */
const sources: Readonly<Record<string, Source>> = {
  run: 'run',
  task: 'task',
  tasks: 'task',
  place: 'task',
  question: 'question',
  agent: 'agent',
  session: 'session',
  pipeline: 'pipeline',
  key: 'key',
  list: 'list',
  path: 'file',
  file: 'file',
  source: 'file',
  dir: 'folder',
  folder: 'folder',
}
const words: Readonly<Record<string, readonly string[]>> = {
  depth: depths,
  kind: Object.keys(kinds),
  status: taskStatuses,
  version: ['major', 'minor', 'patch'],
}

function valueOf(placeholder: string, { argChoices }: Pick<Argument | Option, 'argChoices'>): Value {
  if (argChoices !== undefined) return { choices: [...argChoices] }
  if (placeholder === 'types') return { choices: [...logTypes, ...eventTypes], list: true }
  const [source, choices] = [sources[placeholder], words[placeholder]]
  if (choices !== undefined) return { choices: [...choices] }
  return source === undefined ? {} : { source }
}

/** Values of the configuration, as its own table knows them. */
function settingOf(key: string): Value {
  const spec = keys.find(({ name }) => name === key)?.spec
  if (key === 'agent') return { source: 'agent' }
  if (key === 'workflow') return { choices: [...builtInWorkflows], source: 'pipeline' }
  if (key === 'backlog') return { source: 'file' }
  if (key === 'rotation') return { source: 'agent', list: true }
  return spec === undefined ? {} : choicesOf(spec)
}

function choicesOf(spec: Spec): Value {
  if (spec.kind === 'nullable') return choicesOf(spec.of)
  return spec.kind === 'choice' ? { choices: [...spec.of] } : {}
}

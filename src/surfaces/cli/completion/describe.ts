/**
 * Reads the arguments and options of every command from commander. Loads all commands, so it runs once, at build time.
 */
import type { Argument, Option } from 'commander'
import type { App } from '../../../api/app.ts'
import { builtInWorkflows, logTypes } from '../../../api/nouns.ts'
import type { SettingFlag } from '../../../api/settings.ts'
import { taskStatuses } from '../../../views/progress.ts'
import { catalogue } from '../catalogue.ts'
import { kinds } from '../commands/lint.ts'
import { depths } from '../commands/refine.ts'
import { commandOf } from '../parse.ts'
import type { ArgumentRow, CommandRow, OptionRow, Source, Value } from './table.ts'

/** Values of options and arguments that only the app knows. */
interface Known {
  table: readonly SettingFlag[]
  eventTypes: readonly string[]
}

export async function describeCommands(app: Pick<App, 'settingFlags' | 'eventTypes'>): Promise<CommandRow[]> {
  const known: Known = { table: (await app.settingFlags()).table, eventTypes: await app.eventTypes() }
  return Promise.all(
    catalogue.map(async ({ name, summary, load }): Promise<CommandRow> => {
      const { command: spec } = await load()
      const command = commandOf({ name, summary, spec, table: known.table })
      const options = command
        .createHelp()
        .visibleOptions(command)
        .map((option) => optionOf(name, option, known))
      return {
        name,
        about: summary,
        arguments: command.registeredArguments.map((each) => argumentOf(each, known)),
        options,
      }
    }),
  )
}

function argumentOf(argument: Argument, known: Known): ArgumentRow {
  // An argument called `name` always names a stage or pipeline.
  const placeholder = argument.name() === 'name' ? 'pipeline' : argument.name()
  return { value: valueOf(placeholder, argument, known), ...(argument.variadic ? { repeats: true } : {}) }
}

function optionOf(command: string, option: Option, known: Known): OptionRow {
  const names = [option.short, option.long].flatMap((name) => name ?? [])
  const row = { names, about: option.description }
  if (!option.required && !option.optional) return row
  const flag = known.table.find((candidate) => `--${candidate.flag}` === option.long)
  const value = flag === undefined ? valueOf(placeholderOf(option), option, known) : settingOf(flag)
  // The log has fewer types than the journal.
  const narrowed = command === 'logs' && option.long === '--type' ? { ...value, choices: [...logTypes] } : value
  return { ...row, value: narrowed, ...(option.variadic || flag?.kind === 'list' ? { repeats: true } : {}) }
}

const placeholderOf = ({ flags }: Option): string => /[<[]([\w-]+)/.exec(flags)?.[1] ?? ''

/** Maps the placeholder of a value in a definition to the source of its candidates. */
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

function valueOf(
  placeholder: string,
  { argChoices }: Pick<Argument | Option, 'argChoices'>,
  { eventTypes }: Known,
): Value {
  if (argChoices !== undefined) return { choices: [...argChoices] }
  if (placeholder === 'types') return { choices: [...logTypes, ...eventTypes], list: true }
  const [source, choices] = [sources[placeholder], words[placeholder]]
  if (choices !== undefined) return { choices: [...choices] }
  return source === undefined ? {} : { source }
}

/** The candidates for a setting, from the table of settings. */
function settingOf({ key, choices }: SettingFlag): Value {
  if (key === 'agent') return { source: 'agent' }
  if (key === 'workflow') return { choices: [...builtInWorkflows], source: 'pipeline' }
  if (key === 'backlog') return { source: 'file' }
  if (key === 'rotation') return { source: 'agent', list: true }
  return choices === null ? {} : { choices: [...choices] }
}

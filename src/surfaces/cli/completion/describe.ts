/** Describes the arguments and options of every command. Loads all commands, so it runs once, at build time. */
import type { App } from '../../../api/app.ts'
import { builtInWorkflows, logTypes } from '../../../api/nouns.ts'
import type { SettingFlag } from '../../../api/settings.ts'
import { taskStatuses } from '../../../views/facts/progress.ts'
import type { Argument } from '../argument.ts'
import { catalog } from '../catalog.ts'
import { kinds } from '../commands/lint.ts'
import { depths } from '../commands/refine.ts'
import { define } from '../definition.ts'
import type { Option } from '../option.ts'
import { shells } from './shells.ts'
import type { ArgumentRow, CommandRow, OptionRow, Source, Value } from './table.ts'

/** Values of options and arguments that only the app knows. */
interface Known {
  table: readonly SettingFlag[]
  eventTypes: readonly string[]
}

export async function describeCommands(app: Pick<App, 'settingFlags' | 'eventTypes'>): Promise<CommandRow[]> {
  const known: Known = { table: (await app.settingFlags()).table, eventTypes: await app.eventTypes() }
  return Promise.all(
    catalog.map(async (entry): Promise<CommandRow> => {
      const { command: spec } = await entry.load()
      const { name, summary, ...all } = define(entry, spec, spec.settings?.(known.table))
      return {
        name,
        about: summary,
        arguments: all.arguments.map((each) => argumentRow(each, known)),
        options: all.options.filter(({ hidden }) => hidden !== true).map((option) => optionRow(name, option, known)),
      }
    }),
  )
}

function argumentRow({ name, repeats }: Argument, known: Known): ArgumentRow {
  // An argument called `name` always names a stage or pipeline.
  return { value: valueOf(name === 'name' ? 'pipeline' : name, known), ...(repeats ? { repeats } : {}) }
}

function optionRow(command: string, { names, about, takes, placeholder, list }: Option, known: Known): OptionRow {
  if (takes === undefined) return { names, about }
  const flag = known.table.find((candidate) => names.includes(`--${candidate.flag}`))
  const value = flag === undefined ? valueOf(placeholder, known) : settingOf(flag)
  // The log has fewer types than the journal.
  const narrowed = command === 'logs' && names.includes('--type') ? { ...value, choices: [...logTypes] } : value
  return { names, about, takes, value: narrowed, ...(list || takes === 'several' ? { repeats: true } : {}) }
}

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
  shell: shells,
  status: taskStatuses,
  version: ['major', 'minor', 'patch'],
}

function valueOf(placeholder: string, { eventTypes }: Known): Value {
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

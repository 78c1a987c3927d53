/** Suggests the next word of a command line. Pure: for names that have to be looked up it returns only their source. */
import { findCommand, type Found } from '../find-command.ts'
import { globalOptions, helpOption } from '../global-options.ts'
import { readArguments, splitValue, type Reading } from '../read-arguments.ts'
import type { ArgumentRow, Candidate, CommandRow, OptionRow, Source, Value } from './table.ts'

export interface Suggestion {
  /** The start of the last word that stays as it is: `--agent=`, `message,`. */
  kept: string
  /** The rest of the last word, which candidates must start with. */
  typed: string
  candidates: Candidate[]
  /** The source of more candidates; null when there is none. */
  source: Source | null
  /** The run that the line names; null means the newest. */
  run: string | null
  /** The folder given by `-C`. */
  folder: string | null
}

/** `words`: the words after the program's name up to the cursor. The last one is incomplete and may be empty. */
export function suggest(table: readonly CommandRow[], words: readonly string[]): Suggestion {
  const line = readLine(table, words.slice(0, -1))
  const { kept, typed, candidates, source = null, list = false } = nextOf(table, line, words.at(-1) ?? '')
  const inner = list ? typed.lastIndexOf(',') + 1 : 0
  return {
    kept: kept + typed.slice(0, inner),
    typed: typed.slice(inner),
    candidates,
    source,
    run: runOf(line),
    folder: folderOf(line),
  }
}

/** What the words before the last one say. */
interface Line extends Reading<OptionRow> {
  found: Found<CommandRow>
  command: CommandRow | null
  options: readonly OptionRow[]
}

const find = (table: readonly CommandRow[], name: string): CommandRow | null =>
  table.find((row) => row.name === name) ?? null

function readLine(table: readonly CommandRow[], words: readonly string[]): Line {
  const found = findCommand(table, words)
  const command = commandOf(table, found)
  const options = command?.options ?? sharedOptions(table)
  return { ...readArguments(options, found.args), found, command, options }
}

function commandOf(table: readonly CommandRow[], found: Found<CommandRow>): CommandRow | null {
  if (found.kind === 'goal') return find(table, 'run')
  return found.kind === 'command' ? found.command : null
}

/** Options that every command takes may come before the command. */
const sharedOptions = ([first]: readonly CommandRow[]): OptionRow[] => {
  const shared = [...globalOptions, helpOption].flatMap(({ names }) => names)
  return first?.options.filter(({ names }) => names.some((name) => shared.includes(name))) ?? []
}

function runOf({ command, given, words }: Line): string | null {
  const byOption = given.findLast(({ flag }) => flag.value?.source === 'run')
  const isRun = (_: string, index: number): boolean =>
    command !== null && argumentAt(command, index)?.value.source === 'run'
  return byOption?.value ?? words.findLast(isRun) ?? null
}

const folderOf = ({ given }: Line): string | null =>
  given.findLast(({ flag }) => flag.names.includes('-C'))?.value ?? null

function argumentAt({ arguments: all }: CommandRow, index: number): ArgumentRow | undefined {
  const last = all.at(-1)
  return all[index] ?? (last?.repeats ? last : undefined)
}

interface Next {
  kept: string
  typed: string
  candidates: Candidate[]
  source?: Source | undefined
  list?: true | undefined
}

function nextOf(table: readonly CommandRow[], line: Line, last: string): Next {
  const { found, command, open, isMissing, words, isEnded } = line
  const next = { kept: '', typed: last }
  const isOption = !isEnded && last.startsWith('-')
  if (open?.value !== undefined && (isMissing || (open.takes === 'maybe' && !isOption)))
    return { ...next, ...fromValue(open.value) }
  if (isOption) return optionsFor(line, last)
  if (found.kind === 'none') return { ...next, candidates: firstWords(table) }
  const members = membersOf(table, found.kind === 'group' ? found.group : (command?.name ?? ''))
  if (words.length === 0 && members.length > 0) return { ...next, candidates: members }
  if (command === null) return { ...next, candidates: [] }
  const argument = argumentAt(command, words.length)
  if (argument === undefined && !isEnded) return optionsFor(line, last)
  return { ...next, ...fromValue(argument?.value ?? {}) }
}

const fromValue = ({ choices = [], source, list }: Value): Pick<Next, 'candidates' | 'source' | 'list'> => ({
  candidates: choices.map((value) => ({ value, about: '' })),
  source,
  list,
})

function optionsFor({ options, given }: Line, last: string): Next {
  const [name, value] = splitValue(last)
  if (value !== null) {
    return {
      kept: `${name}=`,
      typed: value,
      ...fromValue(options.find(({ names }) => names.includes(name))?.value ?? {}),
    }
  }
  const free = options.filter((option) => option.repeats === true || !given.some(({ flag }) => flag === option))
  // Before the user types anything, one name of each option is enough.
  const shown = ({ names }: OptionRow): readonly string[] => (last === '' ? names.slice(-1) : names)
  return {
    kept: '',
    typed: last,
    candidates: free.flatMap((option) => shown(option).map((value) => ({ value, about: option.about }))),
  }
}

const membersOf = (table: readonly CommandRow[], group: string): Candidate[] =>
  table
    .filter(({ name }) => name.startsWith(`${group} `))
    .map(({ name, about }) => ({ value: name.slice(group.length + 1), about }))

/** A group that is not a command itself is described by its members. */
function firstWords(table: readonly CommandRow[]): Candidate[] {
  const words = new Set(table.map(({ name }) => name.split(' ')[0] ?? ''))
  const membersText = (group: string): string =>
    membersOf(table, group)
      .map(({ value }) => value)
      .join(', ')
  return [...words].map((value) => ({ value, about: find(table, value)?.about ?? membersText(value) }))
}

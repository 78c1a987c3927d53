/** Suggests the next word of a command line. Pure: for names that have to be looked up it returns only their source. */
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
    run: line.run,
    folder: line.folder,
  }
}

/** The result of parsing the words before the last one. */
interface Line {
  options: readonly OptionRow[]
  command: CommandRow | null
  /** The first word of a group of commands; a member of the group may follow. */
  group: string | null
  used: Set<OptionRow>
  /** The number of arguments so far. */
  count: number
  /** The option whose value comes next. */
  open: OptionRow | null
  /** After `--` there are no options. */
  isOpenEnded: boolean
  run: string | null
  folder: string | null
}

const find = (table: readonly CommandRow[], name: string): CommandRow | null =>
  table.find((row) => row.name === name) ?? null

function readLine(table: readonly CommandRow[], words: readonly string[]): Line {
  const line: Line = {
    options: sharedOptions(table),
    command: null,
    group: null,
    used: new Set(),
    count: 0,
    open: null,
    isOpenEnded: false,
    run: null,
    folder: null,
  }
  for (const word of words) {
    if (line.open !== null) takeValue(line, line.open, word)
    else if (!line.isOpenEnded && word === '--') line.isOpenEnded = true
    else if (!line.isOpenEnded && word.startsWith('-') && word !== '-') takeOption(line, word)
    else if (line.group !== null && line.count === 0) takeMember(table, line, line.group, word)
    else if (line.command === null) takeName(table, line, word)
    else takeArgument(line, line.command, word)
  }
  return line
}

/** Options that every command takes may come before the command. */
function sharedOptions(table: readonly CommandRow[]): OptionRow[] {
  const isShared = ({ names: [name = ''] }: OptionRow): boolean =>
    table.every(({ options }) => options.some(({ names }) => names.includes(name)))
  return (table[0]?.options ?? []).filter(isShared)
}

/** A word that is not a command is a goal. After `help` comes a command. */
function takeName(table: readonly CommandRow[], line: Line, word: string): void {
  if (word === 'help') return
  const named = find(table, word)
  const isGroup = table.some(({ name }) => name.startsWith(`${word} `))
  if (isGroup) line.group = word
  if (named !== null || !isGroup) choose(line, named ?? find(table, 'run'))
  if (named === null && !isGroup) line.count = 1
}

function takeMember(table: readonly CommandRow[], line: Line, group: string, word: string): void {
  line.group = null
  const named = find(table, `${group} ${word}`)
  if (named === null) line.count = 1
  else choose(line, named)
}

function choose(line: Line, command: CommandRow | null): void {
  line.command = command
  line.options = command?.options ?? line.options
}

function takeOption(line: Line, word: string): void {
  const [name, value] = word.startsWith('--')
    ? atSign(word)
    : [word.slice(0, 2), word.length > 2 ? word.slice(2) : null]
  const option = line.options.find(({ names }) => names.includes(name))
  if (option === undefined) return
  line.used.add(option)
  if (option.value === undefined) return
  if (value === null) line.open = option
  else takeValue(line, option, value)
}

/** Splits `--name=value`; the value is null when there is no equals sign. */
function atSign(word: string): [name: string, value: string | null] {
  const at = word.indexOf('=')
  return at < 0 ? [word, null] : [word.slice(0, at), word.slice(at + 1)]
}

function takeValue(line: Line, option: OptionRow, word: string): void {
  line.open = null
  if (option.names.includes('-C')) line.folder = word
  if (option.value?.source === 'run') line.run = word
}

function takeArgument(line: Line, command: CommandRow, word: string): void {
  if (argumentAt(command, line.count)?.value.source === 'run') line.run = word
  line.count++
}

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
  const { command, open, group, isOpenEnded } = line
  if (open?.value !== undefined) return { kept: '', typed: last, ...fromValue(open.value) }
  if (!isOpenEnded && last.startsWith('-')) return optionsFor(line, last)
  if (group !== null && line.count === 0) return { kept: '', typed: last, candidates: membersOf(table, group) }
  if (command === null) return { kept: '', typed: last, candidates: line.count === 0 ? firstWords(table) : [] }
  const argument = argumentAt(command, line.count)
  if (argument === undefined && !isOpenEnded) return optionsFor(line, last)
  return { kept: '', typed: last, ...fromValue(argument?.value ?? {}) }
}

const fromValue = ({ choices = [], source, list }: Value): Pick<Next, 'candidates' | 'source' | 'list'> => ({
  candidates: choices.map((value) => ({ value, about: '' })),
  source,
  list,
})

function optionsFor({ options, used }: Line, last: string): Next {
  const [name, value] = atSign(last)
  if (value !== null) {
    return {
      kept: `${name}=`,
      typed: value,
      ...fromValue(options.find(({ names }) => names.includes(name))?.value ?? {}),
    }
  }
  const free = options.filter((option) => option.repeats === true || !used.has(option))
  // Before the user types anything, one name of each option is enough.
  const shown = ({ names }: OptionRow): string[] => (last === '' ? names.slice(-1) : names)
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

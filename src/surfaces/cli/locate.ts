/** Finds the command that the arguments name, before any command is loaded. */
import { LooperError } from '../../api/error.ts'
import { nearest } from '../../views/nearest.ts'
import { catalogue, firstWords, groupNames, type Entry } from './catalogue.ts'
import { countGlobals } from './global-options.ts'

export type Located =
  | { kind: 'help'; group: string | null }
  /** `implied`: no command was named, so the word is a goal. */
  | { kind: 'command'; entry: Entry; args: string[]; implied: boolean }

export function locate(argv: readonly string[]): Located {
  const start = countGlobals(argv)
  const globals = argv.slice(0, start)
  const [word, ...rest] = argv.slice(start)
  if (word === undefined || word === '-h' || word === '--help') return { kind: 'help', group: null }
  if (word === '-V' || word === '--version') return named('version', globals)
  if (word === 'help') return rest.length === 0 ? { kind: 'help', group: null } : locate([...rest, '--help'])
  if (groupNames.includes(word)) return inGroup(word, rest, globals)
  if (firstWords.includes(word)) return named(word, [...globals, ...rest])
  refuseCommandAsGoal([word, ...rest])
  return { ...named('run', argv), implied: true }
}

function named(name: string, args: readonly string[]): Extract<Located, { kind: 'command' }> {
  const entry = catalogue.find((candidate) => candidate.name === name)
  if (entry === undefined) throw unknownCommand(name)
  return { kind: 'command', entry, args: [...args], implied: false }
}

function inGroup(group: string, [word, ...rest]: readonly string[], globals: readonly string[]): Located {
  const members = catalogue
    .filter(({ name }) => name.startsWith(`${group} `))
    .map(({ name }) => name.slice(group.length + 1))
  // A group may also be a command itself; options without a member belong to that command.
  const itself = catalogue.some(({ name }) => name === group)
  const own = word === undefined ? [] : [word]
  if (itself && (word === undefined || word.startsWith('-'))) return named(group, [...globals, ...own, ...rest])
  if (word === '-h' || word === '--help') return { kind: 'help', group }
  if (word !== undefined && members.includes(word)) return named(`${group} ${word}`, [...globals, ...rest])
  const close = word === undefined ? null : nearest(word, members)
  const what =
    word === undefined ? `${group} needs a command: ${members.join(', ')}` : `unknown command '${group} ${word}'`
  throw new LooperError('USAGE_ARGUMENTS', what, {
    hint: close === null ? `Run \`looper ${group} --help\`.` : `Did you mean ${group} ${close}?`,
  })
}

/** A lower-case word is much more often a typo or a command of another tool than a goal, and a run costs money. */
export function refuseCommandAsGoal([word, ...more]: readonly string[]): void {
  if (word === undefined || !/^[a-z][a-z-]*$/.test(word)) return
  throw unknownCommand(
    word,
    more.filter((arg) => !arg.startsWith('-')),
  )
}

function unknownCommand(word: string, more: readonly string[] = []): LooperError {
  if (firstWords.includes(word)) {
    return new LooperError('USAGE_ARGUMENTS', `the command '${word}' comes before its options`, {
      hint: `Run \`looper ${word} --help\`.`,
    })
  }
  const close = nearest(word, firstWords)
  const goal = [word, ...more].join(' ')
  return new LooperError('USAGE_ARGUMENTS', `unknown command '${word}'`, {
    hint:
      close === null
        ? `If that is a goal: looper run "${goal}". Otherwise run \`looper --help\`.`
        : `Did you mean ${close}?`,
  })
}

/** Finds the command that a line names, in any list of commands: the catalog, or the table of completion. */
import { globalOptions } from './global-options.ts'
import { takeOption } from './read-arguments.ts'

export type Found<C> =
  /** Only options, or a request for the main help. */
  | { kind: 'none'; args: readonly string[] }
  /** A group without one of its commands: `args` may begin with a word that is none of them. */
  | { kind: 'group'; group: string; args: readonly string[] }
  | { kind: 'command'; command: C; args: readonly string[] }
  /** No command is named, so the line is for `run`; `rest` begins with the first word that is no global option. */
  | { kind: 'goal'; rest: readonly string[]; args: readonly string[] }

/** `args`: all words but those that name the command. */
export function findCommand<C extends { name: string }>(commands: readonly C[], argv: readonly string[]): Found<C> {
  const rest = afterGlobals(argv)
  const globals = argv.slice(0, argv.length - rest.length)
  const [word, ...more] = rest
  if (word === undefined || word === '-h' || word === '--help') return { kind: 'none', args: argv }
  if (word === 'help') return findCommand(commands, [...more, '--help'])
  const named = (name: string): C | undefined => commands.find((command) => command.name === name)
  const member = named(`${word} ${more[0] ?? ''}`)
  if (member !== undefined) return { kind: 'command', command: member, args: [...globals, ...more.slice(1)] }
  const isVersion = word === '-V' || word === '--version'
  const command = named(isVersion ? 'version' : word)
  const isGroup = commands.some(({ name }) => name.startsWith(`${word} `))
  // A group may also be a command itself, which takes options but no words.
  if (isGroup && (command === undefined || (more[0] !== undefined && !more[0].startsWith('-'))))
    return { kind: 'group', group: word, args: more }
  if (command === undefined) return { kind: 'goal', rest, args: argv }
  return { kind: 'command', command, args: isVersion ? globals : [...globals, ...more] }
}

function afterGlobals(argv: readonly string[]): readonly string[] {
  const taken = takeOption(globalOptions, argv)
  return taken === null ? argv : afterGlobals(taken.left)
}

/** Finds the command that the arguments name, before any command is loaded. */
import { LooperError } from '../../api/error.ts'
import { nearest } from '../../views/text/nearest.ts'
import { catalog, firstWords, runEntry, type Entry } from './catalog.ts'
import { findCommand } from './find-command.ts'

export type Located =
  | { kind: 'help'; group: string | null }
  /** `implied`: no command was named, so the word is a goal. */
  | { kind: 'command'; entry: Entry; args: readonly string[]; implied: boolean }

/** Throws USAGE_ARGUMENTS. */
export function locate(argv: readonly string[]): Located {
  const found = findCommand(catalog, argv)
  switch (found.kind) {
    case 'none':
      return { kind: 'help', group: null }
    case 'group':
      return inGroup(found.group, found.args[0])
    case 'command':
      return { kind: 'command', entry: found.command, args: found.args, implied: false }
    case 'goal':
      refuseCommandAsGoal(found.rest)
      return { kind: 'command', entry: runEntry, args: found.args, implied: true }
  }
}

/** `word`: what stands in the place of a command of the group. */
function inGroup(group: string, word: string | undefined): Located {
  if (word === '-h' || word === '--help') return { kind: 'help', group }
  const members = catalog
    .filter(({ name }) => name.startsWith(`${group} `))
    .map(({ name }) => name.slice(group.length + 1))
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
  if (firstWords.includes(word)) {
    throw new LooperError('USAGE_ARGUMENTS', `the command '${word}' comes before its options`, {
      hint: `Run \`looper ${word} --help\`.`,
    })
  }
  const close = nearest(word, firstWords)
  const goal = [word, ...more.filter((arg) => !arg.startsWith('-'))].join(' ')
  throw new LooperError('USAGE_ARGUMENTS', `unknown command '${word}'`, {
    hint:
      close === null
        ? `If that is a goal: looper run "${goal}". Otherwise run \`looper --help\`.`
        : `Did you mean ${close}?`,
  })
}

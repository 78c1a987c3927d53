/** `looper status --help`: usage, arguments, options in groups, and examples. */
import { align } from '../../views/text/columns.ts'
import { wrap } from '../../views/text/rows.ts'
import type { CommandSpec } from './command.ts'
import type { Definition } from './definition.ts'
import type { Option } from './option.ts'

export function commandHelp(
  { name, summary, arguments: expected, options }: Definition,
  { examples }: Pick<CommandSpec, 'examples'>,
  width: number,
): string {
  const shown = options.filter(({ hidden }) => hidden !== true)
  const longest = Math.max(...expected.map((each) => each.name.length), ...shown.map(({ flags }) => flags.length))
  const row = rowsOf(longest, width)
  const blocks = [
    [['Usage: looper', name, '[options]', ...expected.map(({ term }) => term)].join(' ')],
    wrapped(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`, width, 0),
    ...(expected.length === 0 ? [] : [['Arguments:', ...expected.map((each) => row(each.name, each.about))]]),
    ...groupsOf(shown).map(({ group, members }) => [group, ...members.map(({ flags, about }) => row(flags, about))]),
    ['Examples:', ...align(examples.map(([line, what]) => [`  ${line}`, what]))],
  ]
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

/** Descriptions stand in one column, beside terms of at most `longest` characters. */
function rowsOf(longest: number, width: number): (term: string, about: string) => string {
  const indent = longest + 4
  return (term, about) => `  ${term.padEnd(longest)}  ${wrapped(about, width, indent).join(`\n${' '.repeat(indent)}`)}`
}

/** Wraps nothing where only a narrow column is left. */
const wrapped = (text: string, width: number, before: number): string[] =>
  wrap(text, width - before < narrowest ? null : width, before)
const narrowest = 40

function groupsOf(options: readonly Option[]): { group: string; members: Option[] }[] {
  const groupOf = ({ group = 'Options:' }: Option): string => group
  return [...new Set(options.map(groupOf))].map((group) => ({
    group,
    members: options.filter((option) => groupOf(option) === group),
  }))
}

/** `looper --help`: lists every command on one screen. */
import { align } from '../../views/text/columns.ts'
import { catalog, type Entry } from './catalog.ts'

const examples = [
  ['looper "add a --json flag to the list command"', 'starts a run'],
  ['looper run --dry-run "…"', 'shows what would happen'],
  ['looper run --workflow backlog', 'works through to-do.json'],
  ['looper status', 'shows the status of the newest run'],
  ['looper demo', 'a whole run in a few seconds, no agent needed'],
] as const

export function mainHelp(): string {
  const groups = [...new Set(catalog.map(({ group }) => group))]
  const blocks = [
    ['Looper has coding agents plan, build, check and review in your repository until the goal is met.'],
    ['Usage: looper "what you want"', '       looper <command> [options]'],
    ...groups.map((group) => [group, ...commandLines(catalog.filter((entry) => entry.group === group))]),
    [
      'Options of every command',
      ...align(
        [
          ['  -C <dir>', 'run in this folder'],
          ['  --no-color', 'disable colors (also NO_COLOR)'],
          ['  --debug', 'print stack traces with errors'],
          ['  -h, --help', 'show help with examples'],
        ].map(([name = '', what = '']) => [name.padEnd(width), what]),
      ),
    ],
    ['Examples', ...align(examples.map(([command, what]) => [`  ${command}`, what]))],
    ['Exit codes: 0 done · 1 failed · 2 usage or configuration · 3 paused or a limit reached · 130 interrupted'],
  ]
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

/** The help of a group, as for `looper task --help`. */
export function groupHelp(group: string): string {
  const members = catalog.filter(({ name }) => name.startsWith(`${group} `))
  return `Usage: looper ${group} <command> [options]\n\n${commandLines(members).join('\n')}\n`
}

const width = Math.max(...catalog.map(({ name }) => name.length)) + 2
const commandLines = (entries: readonly Entry[]): string[] =>
  entries.map(({ name, summary }) => `${`  ${name}`.padEnd(width)}  ${summary}`)

/** `looper import`: imports the tasks of other programs into the backlog. */
import { LooperError } from '../../../api/error.ts'
import { align } from '../../../views/text/columns.ts'
import { jsonText } from '../../../views/text/json-text.ts'
import type { Paint } from '../../../views/text/paint.ts'
import { importedSteps } from '../../../views/status/imported-steps.ts'
import { plain } from '../../../views/text/plain-text.ts'
import type { ImportReport, ImportRequest } from '../../../api/backlog.ts'
import type { CommandSpec } from '../command.ts'

interface Options {
  beads?: boolean
  /** True when no name is given: the newest list. */
  claude?: string | true
  label?: string
  into?: string
  dryRun?: boolean
  json?: boolean
}

const mostShown = 20

export const command: CommandSpec<Options> = {
  arguments: [
    [
      '[source]',
      'a file or folder: a plan with check boxes, to-do.json, .beads, .claude-looper, .loop, .claude/pipeline-runs/…',
    ],
  ],
  options: [
    ['--beads', 'import the issues of beads, with bd'],
    ['--claude [list]', 'a task list of Claude Code (default: the newest)'],
    ['--label <label>', 'only beads issues with this label, like loop/auth'],
    ['--into <file>', 'the backlog (default: to-do.json of the repository)'],
    ['--dry-run', 'only show what would be added'],
    ['--json', 'print JSON'],
  ],
  examples: [
    ['looper import plan.md', 'check boxes become tasks'],
    ['looper import --beads --label loop/auth --dry-run', ''],
    ['looper import --claude my-loop', 'a task list of Claude Code'],
    ['looper import .claude-looper --json | jq ".added | length"', ''],
  ],
  async run({ app, out, paint }, [path], options) {
    const { label = null, into = null, dryRun = false, json = false } = options
    const report = await app.importTasks({ from: sourceOf(path, options), label, into, dryRun })
    out.write(json ? `${jsonText(report, 2)}\n` : reportText(report, into, paint))
    return 0
  },
}

/** Throws USAGE_ARGUMENTS unless exactly one source is given. */
function sourceOf(path: string | undefined, { beads, claude }: Options): ImportRequest['from'] {
  const named: ImportRequest['from'][] = [
    ...(path === undefined ? [] : [{ kind: 'path' as const, path }]),
    ...(beads === true ? [{ kind: 'beads' as const }] : []),
    ...(claude === undefined ? [] : [{ kind: 'claude' as const, list: claude === true ? null : claude }]),
  ]
  const [first, ...more] = named
  if (first === undefined)
    throw refused('nothing to import was named', 'looper import plan.md, or --beads, or --claude.')
  if (more.length > 0) throw refused('a file, --beads and --claude cannot be combined', 'Import one after the other.')
  return first
}

const refused = (message: string, hint: string): LooperError => new LooperError('USAGE_ARGUMENTS', message, { hint })

function reportText(
  { source, format, file, dryRun, added, closed, unchanged, notes }: ImportReport,
  into: string | null,
  paint: Paint,
): string {
  const rows = [...added.map((task) => ['+', task] as const), ...closed.map((task) => ['x', task] as const)]
  const shown = rows
    .slice(0, mostShown)
    .map(([mark, { id, title, status }]) => [`  ${mark} ${plain(id, 40)}`, status, plain(title, 100)])
  const counts = `${added.length} added, ${closed.length} closed, ${unchanged.length} already there`
  const outcome = dryRun ? `${counts} (dry run: nothing written)` : counts
  const lines = [
    `${plain(source, 100)} ${paint.faint(`(${format})`)} → ${plain(file, 200)}: ${outcome}`,
    ...align(shown),
    ...(rows.length > mostShown ? [`  … and ${rows.length - mostShown} more`] : []),
    ...notes.map((note) => `  ${paint.faint('note')} ${plain(note, 200)}`),
    ...(dryRun || added.length === 0 ? [] : importedSteps(into, paint)),
  ]
  return `${lines.join('\n')}\n`
}

/** What `looper pipeline ls` says. */
import { align } from '../views/columns.ts'
import type { Paint } from '../views/paint.ts'
import { plain } from '../views/plain-text.ts'
import type { DefinitionRow } from './list.ts'

export function listText(rows: readonly DefinitionRow[], paint: Paint): string {
  const of = (kind: DefinitionRow['kind']): string[][] =>
    rows.filter((row) => row.kind === kind).map((row) => cells(row, paint))
  const [stages, pipelines] = [of('stage'), of('pipeline')]
  const lines = align([...stages, ...pipelines])
  return `${['stages', ...lines.slice(0, stages.length), '', 'pipelines', ...lines.slice(stages.length)].join('\n')}\n`
}

function cells(
  { name, aliases, source, description, kind, completion, stages, problem }: DefinitionRow,
  paint: Paint,
): string[] {
  const names = [name, ...aliases].map((each) => plain(each)).join(', ')
  const what =
    kind === 'stage' ? (completion ?? '') : stages.map((stage) => `${plain(stage.stage)} ${stage.runs}`).join(' → ')
  const told = problem === null ? plain(description, 100) : paint.bad(plain(problem, 160))
  return [`  ${names}`, source === 'project' ? paint.strong(source) : paint.faint(source), plain(what, 60), told]
}

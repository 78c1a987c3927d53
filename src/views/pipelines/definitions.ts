/** Lists stages and pipelines, including broken ones. */
import { align } from '../text/columns.ts'
import type { Paint } from '../text/paint.ts'
import { plain } from '../text/plain-text.ts'

export type DefinitionKind = 'stage' | 'pipeline'

export interface DefinitionRow {
  kind: DefinitionKind
  name: string
  aliases: string[]
  source: 'project' | 'built-in'
  /** Relative to the project if it is inside it. */
  file: string
  description: string
  /** Only for a stage. */
  completion: string | null
  stages: { name: string; stage: string; completion: string | null; runs: number }[]
  /** Why it cannot run. */
  problem: string | null
}

export function definitionsText(rows: readonly DefinitionRow[], paint: Paint): string {
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
  const text = problem === null ? plain(description, 100) : paint.bad(plain(problem, 160))
  return [`  ${names}`, source === 'project' ? paint.strong(source) : paint.faint(source), plain(what, 60), text]
}

/** Stages and pipelines: listing, linting and trying them without running anything. */
import type { DryRun } from '../views/pipelines/dry-run.ts'
import type { LintReport } from '../views/pipelines/lint.ts'
import type { DefinitionKind, DefinitionRow } from '../views/pipelines/definitions.ts'

export type { DefinitionKind, LintReport }

export interface DryRunOrder {
  /** Of a pipeline or a stage, or the path of a file. */
  name: string
  /** Null: that of the pipeline. */
  session: string | null
  /** Null: as defined. */
  runs: number | null
  goal: string
}

export interface Pipelines {
  /** Stages and pipelines, those of the project before the built-in ones. */
  definitions(): Promise<DefinitionRow[]>
  /** Null: all of them. */
  lint(kind: DefinitionKind | null, name: string | null): Promise<LintReport>
  dryRun(order: DryRunOrder): Promise<DryRun>
}

/** `looper pipeline ls` and `lint`: definitions are only looked at, also outside a repository. */
import { lintReport, type LintReport } from '../pipelines/lint-report.ts'
import { listDefinitions, type DefinitionRow } from '../pipelines/list.ts'
import type { Kind, Where } from '../pipelines/places.ts'
import { rootAround } from '../workspace/find-root.ts'
import type { Context } from './context.ts'

/** Outside a repository the current folder is the project. */
export function whereOf({ cwd, packageFolder }: Context): Where {
  return { root: rootAround(cwd), packageFolder, cwd }
}

export const definitions = (context: Context): DefinitionRow[] => listDefinitions(whereOf(context))

export const lint = (context: Context, kind: Kind | null, name: string | null): LintReport =>
  lintReport(whereOf(context), kind, name)

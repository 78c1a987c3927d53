/** `looper pipeline ls` and `lint`: only read definitions, and also work outside a repository. */
import { lintReport } from '../pipelines/lint-report.ts'
import { listDefinitions } from '../pipelines/list.ts'
import type { DefinitionRow } from '../views/definitions.ts'
import type { LintReport } from '../views/lint.ts'
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

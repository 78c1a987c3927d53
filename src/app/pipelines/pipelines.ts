/** `looper pipeline ls` and `lint`: only read definitions, and also work outside a repository. */
import { lintReport } from '../../pipelines/lint-report.ts'
import { listDefinitions } from '../../pipelines/list.ts'
import type { DefinitionRow } from '../../views/pipelines/definitions.ts'
import type { LintReport } from '../../views/pipelines/lint.ts'
import type { Kind, Where } from '../../pipelines/find-definition.ts'
import { rootAround } from '../../workspace/git/find-root.ts'
import type { AppContext } from '../context.ts'

/** Outside a repository the current folder is the project. */
export function whereOf({ cwd, packageFolder }: AppContext): Where {
  return { root: rootAround(cwd), packageFolder, cwd }
}

export const definitions = (context: AppContext): DefinitionRow[] => listDefinitions(whereOf(context))

export const lint = (context: AppContext, kind: Kind | null, name: string | null): LintReport =>
  lintReport(whereOf(context), kind, name)

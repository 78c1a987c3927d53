/** Lists all stages and pipelines, including broken ones. */
import type { DefinitionRow } from '../views/pipelines/definitions.ts'
import { completionName, runsOf } from './completion.ts'
import { isError } from './finding.ts'
import { inspect } from './load-pipeline.ts'
import { aliases, listAll, type Where } from './find-definition.ts'

export const listDefinitions = (where: Where): DefinitionRow[] =>
  (['stage', 'pipeline'] as const).flatMap((kind) =>
    listAll(kind, where).map((found): DefinitionRow => {
      const { definition, findings } = inspect(found, where)
      const wrong = findings.find(isError)
      const stages = definition.stages.map((stage) => ({
        name: stage.name,
        stage: stage.stage,
        completion: completionName(stage),
        runs: runsOf(stage),
      }))
      return {
        kind,
        name: found.name,
        aliases: Object.keys(aliases).filter((alias) => kind === 'stage' && aliases[alias] === found.name),
        source: found.source,
        file: definition.file,
        description: definition.description,
        completion: kind === 'stage' ? (stages[0]?.completion ?? null) : null,
        stages,
        problem: wrong === undefined ? null : `${wrong.file}:${wrong.line}: ${wrong.message}`,
      }
    }),
  )

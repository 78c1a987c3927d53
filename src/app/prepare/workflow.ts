/** Workflows: the stages of a run, and the source and locks that they need. */
import { builtInWorkflows, type Config } from '../../model/config.ts'
import { LooperError } from '../../model/error.ts'
import type { StageName } from '../../model/event.ts'
import type { Pipeline } from '../../model/loop.ts'
import type { SourceKind } from '../../model/source.ts'
import type { RunState } from '../../model/state.ts'
import type { NewRun } from '../../api/runs.ts'
import { backlogExclusive, sessionExclusive, type Exclusive } from './exclusive.ts'

export interface Workflow {
  name: string
  stages: StageName[]
  session: string | null
  pipeline: Pipeline | null
}

const supervised: StageName[] = ['plan', 'execute', 'gate', 'report']
/** A scaffold is built before tasks run in parallel, and they are reviewed per wave. */
const meta: StageName[] = ['plan', 'scaffold', 'execute', 'gate', 'report']
type BuiltIn = (typeof builtInWorkflows)[number]
const builtIn: Readonly<Record<BuiltIn, StageName[]>> = {
  supervised,
  converge: supervised,
  backlog: ['backlog', 'report'],
  meta,
}
const names: Readonly<Record<string, string>> = { converge: 'supervised' }

interface Where {
  root: string
  packageFolder: string
  /** The folder that paths on the command line are relative to. */
  cwd: string
}

/** A requested pipeline takes precedence over the configured workflow, which may also name a pipeline. */
export async function workflowFor(
  request: Pick<NewRun, 'session' | 'pipeline'>,
  config: Pick<Config, 'workflow'>,
  where: Where,
): Promise<Workflow> {
  const { session = null, pipeline } = request
  if (pipeline)
    return walking(await definition(pipeline.name, { ...where, runs: pipeline.runs }), session ?? pipeline.name)
  const { workflow: name } = config
  const known = builtInWorkflows.find((each) => each === name)
  if (known) return { name: names[known] ?? known, stages: builtIn[known], session, pipeline: null }
  return walking(
    await definition(name, where).catch((error: unknown) => {
      if (error instanceof LooperError && error.code === 'USAGE_ARGUMENTS') {
        throw new LooperError('CONFIG_UNKNOWN_WORKFLOW', `There is no workflow ${JSON.stringify(name)}.`, {
          hint:
            `Use ${builtInWorkflows.map((each) => `"${each}"`).join(', ')}, `
            + 'or a pipeline that `looper pipeline ls` shows.',
        })
      }
      throw error
    }),
    session ?? name,
  )
}

/** Throws USAGE_NO_GOAL when only a goal says what this workflow is to do. */
export function refuseWithoutGoal({ goal }: Pick<NewRun, 'goal'>, { pipeline, stages, name }: Workflow): void {
  if (goal !== '' || pipeline !== null || stages.includes('backlog')) return
  throw new LooperError('USAGE_NO_GOAL', `The workflow ${name} needs a goal.`)
}

const definition = async (name: string, request: Where & { runs?: number | null }): Promise<Pipeline> =>
  (await import('../../pipelines/load-pipeline.ts')).loadPipeline(name, request)

const walking = (pipeline: Pipeline, session: string): Workflow => ({
  name: pipeline.name,
  stages: ['loop', 'report'],
  session,
  pipeline,
})

/** The source of a run's tasks; null when the run plans them itself. */
export function sourceOf(
  { stages, pipeline }: Pick<Workflow, 'stages' | 'pipeline'>,
  config: Pick<Config, 'source'>,
): SourceKind | null {
  if (stages.includes('backlog')) return config.source
  const completion = pipeline?.stages.find((stage) => stage.completion.kind === 'tasks-empty')?.completion
  if (completion?.kind !== 'tasks-empty') return null
  // A configured source takes precedence over the default of the stage.
  return config.source === 'todo-file' ? completion.source : config.source
}

interface RunTarget {
  root: string
  workflow: Workflow
  config: Pick<Config, 'source' | 'backlog'>
}

/** The locks that only one live run may hold. */
export const exclusivesOf = (target: RunTarget): Exclusive[] => [
  ...(target.workflow.session === null ? [] : [sessionExclusive(target.root, target.workflow.session)]),
  ...backlogOf(target),
]

/**
 * The lock of the backlog file, needed by any process that writes the status of tasks to it; empty for other sources.
 */
export const backlogOf = ({ root, workflow, config }: RunTarget): Exclusive[] =>
  sourceOf(workflow, config) === 'todo-file' ? [backlogExclusive(root, config.backlog)] : []

export const workflowOf = ({ workflow: name, stages, session, pipeline }: RunState): Workflow => ({
  name,
  stages,
  session,
  pipeline,
})

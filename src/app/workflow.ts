/** Workflows: which stages a run goes through, and what it needs of the project for that. */
import { builtInWorkflows, type Config } from '../model/config.ts'
import { LooperError } from '../model/error.ts'
import type { StageName } from '../model/event.ts'
import type { Pipeline } from '../model/loop.ts'
import type { SourceKind } from '../model/source.ts'
import type { RunState } from '../model/state.ts'
import type { RunRequest } from '../surfaces/cli/app.ts'
import { backlogExclusive, sessionExclusive, type Exclusive } from './exclusive.ts'

export interface Workflow {
  name: string
  stages: StageName[]
  session: string | null
  pipeline: Pipeline | null
}

const supervised: StageName[] = ['plan', 'execute', 'gate', 'report']
/** A ground is laid before tasks run side by side, and they are judged by the wave. */
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
  /** What paths on the command line are relative to. */
  cwd: string
}

/** A request for a pipeline goes before the workflow of the configuration, which may name a pipeline as well. */
export async function workflowFor(
  request: Pick<RunRequest, 'session' | 'pipeline'>,
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
          hint: `Use ${builtInWorkflows.map((each) => `"${each}"`).join(', ')}, or a pipeline that \`looper pipeline ls\` shows.`,
        })
      }
      throw error
    }),
    session ?? name,
  )
}

const definition = async (name: string, request: Where & { runs?: number | null }): Promise<Pipeline> =>
  (await import('../pipelines/load-pipeline.ts')).loadPipeline(name, request)

const walking = (pipeline: Pipeline, session: string): Workflow => ({
  name: pipeline.name,
  stages: ['loop', 'report'],
  session,
  pipeline,
})

/** Where the tasks of a run come from; null when it makes them itself. */
export function sourceOf(
  { stages, pipeline }: Pick<Workflow, 'stages' | 'pipeline'>,
  config: Pick<Config, 'source'>,
): SourceKind | null {
  if (stages.includes('backlog')) return config.source
  const completion = pipeline?.stages.find((stage) => stage.completion.kind === 'tasks-empty')?.completion
  if (completion?.kind !== 'tasks-empty') return null
  // What a person configures goes before what a stage takes for usual.
  return config.source === 'todo-file' ? completion.source : config.source
}

interface Place {
  root: string
  workflow: Workflow
  config: Pick<Config, 'source' | 'backlog'>
}

/** What only one live run may have. */
export const exclusivesOf = (place: Place): Exclusive[] => [
  ...(place.workflow.session === null ? [] : [sessionExclusive(place.root, place.workflow.session)]),
  ...backlogOf(place),
]

/** The file, if there is one, that whoever writes down how the run's tasks stand must have for itself. */
export const backlogOf = ({ root, workflow, config }: Place): Exclusive[] =>
  sourceOf(workflow, config) === 'todo-file' ? [backlogExclusive(root, config.backlog)] : []

export const workflowOf = ({ workflow: name, stages, session, pipeline }: RunState): Workflow => ({
  name,
  stages,
  session,
  pipeline,
})

/**
 * Shows what a pipeline would do: its stages, and the first prompt of each as the agent would read it. It runs and
 * writes nothing.
 */
import { LooperError } from '../model/error.ts'
import type { LoopStage, Pipeline } from '../model/loop.ts'
import { resolveVariables, variableValues } from '../model/variables.ts'
import type { DryRun, DryStage } from '../views/pipelines/dry-run.ts'
import { findDefinition, inspect, kindsOf, pipelineOf, type PipelineRequest } from './load-pipeline.ts'
import { isName, nameRule } from './name.ts'
import { quoted } from './read-value.ts'

export interface DryRunRequest extends PipelineRequest {
  session: string | null
  goal: string
  /** The paths at which an iteration reads and writes its files. */
  files: { progress: string; output: string }
  /** Selects agent and model of a turn, given the agent that a stage names. */
  route: (agent: string | null) => { agent: string | null; model: string | null }
}

/** Throws USAGE_ARGUMENTS, CONFIG_PIPELINE, and what `route` throws. */
export function dryRun(name: string, request: DryRunRequest): DryRun {
  if (request.session !== null && !isName(request.session)) {
    throw new LooperError('USAGE_ARGUMENTS', `${quoted(request.session)} cannot be the name of a session`, {
      hint: `Use ${nameRule}.`,
    })
  }
  const inspected = inspect(findDefinition(name, kindsOf(request), request), request)
  const pipeline = pipelineOf(inspected)
  const session = request.session ?? pipeline.name
  const stages = pipeline.stages.map((stage, index) => dryStage(stage, pipeline, index, { ...request, session }))
  return { name: pipeline.name, description: pipeline.description, session, stages, findings: inspected.findings }
}

function dryStage(
  stage: LoopStage,
  pipeline: Pipeline,
  index: number,
  request: DryRunRequest & { session: string },
): DryStage {
  const { session, goal, files, route } = request
  const earlier = pipeline.stages.slice(0, index)
  const previous = earlier.at(-1)
  const later = (stage: LoopStage): string => `(what the stage ${stage.name} writes)`
  const values = variableValues({
    session,
    iteration: 1,
    goal,
    ...files,
    task: stage.completion.kind === 'tasks-empty' ? '(the task at hand)' : '',
    item: stage.completion.kind === 'all-items' ? (stage.completion.items[0] ?? '') : '',
    perspective: stage.perspectives[0] ?? '',
    inputs: previous === undefined ? '' : later(previous),
    inputsByStage: new Map(earlier.map((each) => [each.name, later(each)])),
  })
  const { text, unknown } = resolveVariables(stage.prompt, values)
  const { agent, model } = route(stage.agent)
  return { ...stage, prompt: text, unknown, agent, model: stage.model ?? model }
}

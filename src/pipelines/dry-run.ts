/**
 * What a pipeline would do: its stages, and the first prompt of each as the agent would read it. Nothing is run or
 * written.
 */
import { LooperError } from '../model/error.ts'
import type { LoopStage, Pipeline } from '../model/loop.ts'
import { resolveVariables, variableValues } from '../model/variables.ts'
import { plural } from '../views/format.ts'
import type { Paint } from '../views/paint.ts'
import { plain, plainBlock } from '../views/plain-text.ts'
import { completionText } from './completion-text.ts'
import type { Finding } from './finding.ts'
import { findDefinition, inspect, kindsOf, pipelineOf, type PipelineRequest } from './load-pipeline.ts'
import { isName, nameRule } from './name.ts'
import { quoted } from './read-value.ts'

export interface DryRun {
  name: string
  description: string
  session: string
  stages: DryStage[]
  /** Warnings only: with an error there is no dry run. */
  findings: Finding[]
}

/**
 * A stage with its prompt resolved, and with the agent and the model that the configuration adds; null is the default
 * of either.
 */
export interface DryStage extends LoopStage {
  /** Variables in the prompt that nothing fills. */
  unknown: string[]
}

export interface DryRunRequest extends PipelineRequest {
  session: string | null
  goal: string
  /** Where an iteration finds and leaves its files. */
  files: { progress: string; output: string }
  /** Who takes a turn, and with which model, given the agent that a stage names. */
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

export function dryRunText({ name, description, session, stages }: DryRun, paint: Paint): string {
  const head = [
    `${paint.strong(plain(name))}  ${plain(description, 200)}`.trimEnd(),
    `session ${plain(session)}, ${plural(stages.length, 'stage')}; nothing is run`,
  ]
  return `${[...head, ...stages.flatMap((stage, index) => ['', ...stageLines(stage, index, paint)])].join('\n')}\n`
}

function stageLines(stage: DryStage, index: number, paint: Paint): string[] {
  const { agent, model, perspectives, delaySeconds, checks, outputParse } = stage
  const named = stage.stage === stage.name ? '' : ` (${plain(stage.stage)})`
  const fact = (label: string, text: string): string => `   ${paint.faint(label.padEnd(12))} ${text}`
  const rule = (text: string): string => paint.faint(`----- ${text} `.padEnd(60, '-'))
  return [
    `${index + 1}. ${paint.strong(plain(stage.name))}${named}  ${plain(stage.description, 160)}`.trimEnd(),
    fact('runs', completionText(stage)),
    fact(
      'agent',
      `${agent === null ? 'the installed one' : plain(agent)}, ${model === null ? 'its usual model' : `model ${plain(model)}`}`,
    ),
    ...(perspectives.length > 0 ? [fact('perspectives', plain(perspectives.join('; '), 160))] : []),
    ...(outputParse.length > 0
      ? [fact('fields', plain(outputParse.map(({ field, label }) => `${field} from ${label}`).join(', '), 160))]
      : []),
    ...(delaySeconds > 0 ? [fact('delay', `${delaySeconds} s between iterations`)] : []),
    fact('checks', checks ? 'judge what an iteration changed' : 'not run'),
    rule('first prompt'),
    plainBlock(stage.prompt),
    rule('end'),
  ]
}

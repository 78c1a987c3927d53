/** What a pipeline would do: its stages, and the first prompt of each as the agent would read it. Nothing is run or written. */
import type { LoopStage, Pipeline } from '../model/loop.ts'
import { resolveVariables, variableValues } from '../model/variables.ts'
import { plural } from '../views/format.ts'
import type { Paint } from '../views/paint.ts'
import { plain, plainBlock } from '../views/plain-text.ts'
import { completionText } from './completion-text.ts'
import type { Finding } from './finding.ts'
import { findDefinition, inspect, pipelineOf, type PipelineRequest } from './load-pipeline.ts'

export interface DryRun {
  name: string
  description: string
  session: string
  stages: DryStage[]
  /** Warnings only: with an error there is no dry run. */
  findings: Finding[]
}

/** A stage with its prompt resolved, and with the agent and the model that the configuration adds; null is the default of either. */
export interface DryStage extends LoopStage {
  /** Variables in the prompt that nothing fills. */
  unknown: string[]
}

export interface DryRunRequest extends PipelineRequest {
  session: string | null
  goal: string
  /** Who takes a turn where the stage does not say. */
  route: { agent: string | null; model: string | null }
}

/** Throws USAGE_ARGUMENTS and CONFIG_PIPELINE. */
export function dryRun(name: string, request: DryRunRequest): DryRun {
  const inspected = inspect(findDefinition(name, request), request)
  const pipeline = pipelineOf(inspected)
  const session = request.session ?? pipeline.name
  const stages = pipeline.stages.map((stage, index) => dryStage(stage, pipeline, index, { ...request, session }))
  return { name: pipeline.name, description: pipeline.description, session, stages, findings: inspected.findings }
}

function dryStage(stage: LoopStage, pipeline: Pipeline, index: number, { session, goal, route }: DryRunRequest & {
  session: string,
}): DryStage {
  const earlier = pipeline.stages.slice(0, index)
  const previous = earlier.at(-1)
  const later = (stage: LoopStage): string => `(what the stage ${stage.name} writes)`
  const values = variableValues({
    session, iteration: 1, goal, progress: `.looper/runs/<run>/progress-${session}.md`,
    output: `.looper/runs/<run>/outputs/${stage.name}/1.md`,
    task: stage.completion.kind === 'tasks-empty' ? '(the task at hand)' : '',
    item: stage.completion.kind === 'all-items' ? stage.completion.items[0] ?? '' : '',
    perspective: stage.perspectives[0] ?? '', inputs: previous === undefined ? '' : later(previous),
    inputsByStage: new Map(earlier.map((each) => [each.name, later(each)])),
  })
  const { text, unknown } = resolveVariables(stage.prompt, values)
  // A model is one of its agent's: that of the configuration goes with the agent of the configuration.
  const model = stage.model ?? (stage.agent === null ? route.model : null)
  return { ...stage, prompt: text, unknown, agent: stage.agent ?? route.agent, model }
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
      'agent', `${agent === null ? 'the installed one' : plain(agent)}, ${model === null ? 'its usual model' : `model ${plain(model)}`}`,
    ),
    ...(perspectives.length > 0 ? [fact('perspectives', plain(perspectives.join('; '), 160))] : []),
    ...(outputParse.length > 0 ? [
      fact('fields', plain(outputParse.map(({ field, label }) => `${field} from ${label}`).join(', '), 160)),
    ] : []),
    ...(delaySeconds > 0 ? [fact('delay', `${delaySeconds} s between iterations`)] : []),
    fact('checks', checks ? 'judge what an iteration changed' : 'not run'),
    rule('first prompt'),
    plainBlock(stage.prompt),
    rule('end'),
  ]
}

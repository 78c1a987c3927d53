/** Loads a pipeline by name, ready to run, or reports all its problems. */
import { LooperError } from '../model/error.ts'
import type { LoopStage, Pipeline } from '../model/loop.ts'
import { completionOf, minPassesOf, runsOf } from './completion.ts'
import type { Definition, StageDefinition } from './definition.ts'
import { createFindings, isError, type Finding } from './finding.ts'
import { mostRuns } from './keys.ts'
import { lint } from './lint.ts'
import {
  aliases,
  findNamed,
  findPath,
  listAll,
  looksLikePath,
  withoutEnd,
  type Found,
  type Kind,
  type Where,
} from './find-definition.ts'
import { readDefinition } from './read-pipeline.ts'
import { meant, quoted } from './read-value.ts'

export interface PipelineRequest extends Where {
  /** Overrides the number of runs of every stage. */
  runs?: number | null
  /** Selects a stage, even when a pipeline has the same name. */
  single?: boolean
}

export interface Inspected {
  found: Found
  definition: Definition
  findings: Finding[]
}

/** Throws USAGE_ARGUMENTS when the name does not exist, and CONFIG_PIPELINE with the first error and its position. */
export function loadPipeline(name: string, request: PipelineRequest): Pipeline {
  return pipelineOf(inspect(findDefinition(name, kindsOf(request), request), request))
}

/** A pipeline is preferred to a stage of the same name. */
export const kindsOf = ({ single = false }: PipelineRequest): Kind[] => (single ? ['stage'] : ['pipeline', 'stage'])

/** Accepts a name, `name.yaml`, or a path. Throws USAGE_ARGUMENTS. */
export function findDefinition(name: string, kinds: readonly Kind[], where: Where): Found {
  const path = looksLikePath(name) ? findPath(name, where) : null
  const found = path ?? kinds.map((kind) => findNamed(kind, withoutEnd(name), where)).find((each) => each !== null)
  if (found !== undefined) return found
  const names = [...kinds.flatMap((kind) => listAll(kind, where).map((each) => each.name)), ...Object.keys(aliases)]
  throw new LooperError('USAGE_ARGUMENTS', `there is no ${kinds.join(' or ')} ${quoted(name)}${meant(name, names)}`, {
    hint: '`looper pipeline ls` lists what there is.',
  })
}

/** Reads and lints a definition. A definition with read errors is not linted: fixing them often fixes the rest. */
export function inspect(found: Found, request: PipelineRequest): Inspected {
  if (request.runs != null && !(request.runs >= 1 && request.runs <= mostRuns)) {
    throw new LooperError('USAGE_ARGUMENTS', `the number of runs must be from 1 to ${mostRuns}, not ${request.runs}`)
  }
  const { addFinding, list } = createFindings()
  const read = readDefinition(found, { where: request, addFinding })
  const definition = request.runs == null ? read : withRuns(read, request.runs)
  const unreadable = list().some(isError)
  for (const { code, message, ...position } of unreadable ? [] : lint(definition)) addFinding(code, position, message)
  return { found, definition, findings: list() }
}

const withRuns = (definition: Definition, runs: number): Definition => ({
  ...definition,
  stages: definition.stages.map((stage) => ({
    ...stage,
    fields: { ...stage.fields, runs: { value: runs, file: stage.file, line: stage.line } },
  })),
})

/** Throws CONFIG_PIPELINE when there is an error among the findings. */
export function pipelineOf({ definition, findings }: Inspected): Pipeline {
  const wrong = findings.find(isError)
  if (wrong !== undefined) throw refusal(wrong, findings.filter(isError).length - 1)
  return { name: definition.name, description: definition.description, stages: definition.stages.map(stageOf) }
}

function refusal({ code, file, line, message }: Finding, others: number): LooperError {
  const more = others === 0 ? '' : ` (and ${others} more)`
  return new LooperError('CONFIG_PIPELINE', `${file}:${line}: ${message} [${code}]${more}`, {
    details: { code, file, line },
  })
}

function stageOf(stage: StageDefinition): LoopStage {
  const { name, fields, prompt } = stage
  const completion = completionOf(stage)
  if (completion === null || prompt === null)
    throw new LooperError('BUG_INVARIANT', `the stage ${name} passed validation but cannot be loaded`)
  return {
    name,
    stage: stage.stage,
    description: fields.description?.value ?? '',
    prompt: prompt.text,
    completion,
    minIterations: minPassesOf(stage),
    runs: runsOf(stage),
    delaySeconds: fields.delay?.value ?? 0,
    agent: fields.agent?.value ?? null,
    model: fields.model?.value ?? null,
    perspectives: fields.perspectives?.value ?? [],
    outputParse: fields.outputParse?.value ?? [],
    checks: fields.checks?.value ?? true,
  }
}

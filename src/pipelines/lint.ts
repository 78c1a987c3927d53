/** Lints a definition: reports what cannot run, and what runs differently than it reads. */
import { inputsPrefix, variablesIn } from '../model/variables.ts'
import { completionOf } from './completion.ts'
import { placeIn, type Definition, type StageDefinition } from './definition.ts'
import { createFindings, type Finding, type AddFinding } from './finding.ts'
import { lintStage } from './lint-stage.ts'
import { meant, quoted } from './read-value.ts'

export function lint(definition: Definition): Finding[] {
  const { addFinding, list } = createFindings()
  for (const stage of definition.stages) lintStage(stage, addFinding)
  // The order of stages is known only in a pipeline.
  if (!definition.single) lintPipeline(definition.stages, addFinding)
  return list()
}

function lintPipeline(stages: readonly StageDefinition[], addFinding: AddFinding): void {
  for (const [index, stage] of stages.entries()) {
    const earlier = stages.slice(0, index)
    const twin = earlier.find(({ name }) => name === stage.name)
    if (twin !== undefined)
      addFinding('P033', stage, `there is a stage ${quoted(stage.name)} already in line ${twin.line}`)
    lintInputs(
      stage,
      earlier.map(({ name }) => name),
      stages.map(({ name }) => name),
      addFinding,
    )
    lintOutput(stage, stages.slice(index + 1), addFinding)
  }
  lintSources(stages, addFinding)
}

/** A run has one source of tasks: a second one would never be polled. */
function lintSources(stages: readonly StageDefinition[], addFinding: AddFinding): void {
  const working = stages.flatMap((stage) => {
    const completion = completionOf(stage)
    return completion?.kind === 'tasks-empty' ? [{ stage, source: completion.source }] : []
  })
  const [first] = working
  for (const { stage, source } of working) {
    if (first === undefined || source === first.source) continue
    const position = stage.fields.source ?? stage.fields.completion ?? stage
    const [here, there] = [quoted(stage.name), quoted(first.stage.name)]
    const why = `${here} works through ${source}, and ${there} through ${first.source}: a run has one source`
    addFinding('P037', position.file === stage.file ? position : stage, why)
  }
}

function lintInputs(
  { prompt }: StageDefinition,
  earlier: readonly string[],
  all: readonly string[],
  addFinding: AddFinding,
): void {
  if (prompt === null) return
  for (const { name, linesAbove } of variablesIn(prompt.text)) {
    const position = placeIn(prompt, linesAbove)
    if (name === 'INPUTS' && earlier.length === 0)
      addFinding('P034', position, '${INPUTS} is empty: this is the first stage')
    if (!name.startsWith(inputsPrefix)) continue
    const wanted = name.slice(inputsPrefix.length)
    if (earlier.includes(wanted)) continue
    const why = all.includes(wanted)
      ? `${quoted(wanted)} does not come before this stage`
      : `there is no stage ${quoted(wanted)}${meant(wanted, earlier)}`
    addFinding('P035', position, `\${${name}}: ${why}`)
  }
}

/**
 * The next stage reads the output with `${INPUTS}`, any later one with `${INPUTS.name}`. The output of the last stage
 * is for people.
 */
function lintOutput(
  { name, prompt }: StageDefinition,
  later: readonly StageDefinition[],
  addFinding: AddFinding,
): void {
  const written = prompt === null ? undefined : variablesIn(prompt.text).find((use) => use.name === 'OUTPUT')
  if (prompt === null || written === undefined || later.length === 0) return
  const reads = (stage: StageDefinition | undefined, variable: string): boolean =>
    stage?.prompt != null && variablesIn(stage.prompt.text).some((use) => use.name === variable)
  if (reads(later[0], 'INPUTS') || later.some((stage) => reads(stage, `${inputsPrefix}${name}`))) return
  addFinding(
    'P036',
    placeIn(prompt, written.linesAbove),
    `what ${quoted(name)} writes to \${OUTPUT} is read by no later stage`,
  )
}

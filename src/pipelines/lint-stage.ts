/** Lint rules for a single stage. */
import { inputsPrefix, variables, variablesIn } from '../model/variables.ts'
import { plural } from '../views/text/format.ts'
import { completionName, minPassesOf, options, optionsOf, runsOf } from './completion.ts'
import { placeIn, type StageDefinition } from './definition.ts'
import type { AddFinding } from './finding.ts'
import { snakeCase } from './keys.ts'
import { meant, quoted } from './read-value.ts'

type Rule = (stage: StageDefinition, addFinding: AddFinding) => void

export function lintStage(stage: StageDefinition, addFinding: AddFinding): void {
  for (const rule of rules) rule(stage, addFinding)
}

const hasPrompt: Rule = (stage, addFinding) => {
  if (stage.prompt?.text.trim() === '') addFinding('P010', stage.prompt, 'the prompt is empty')
}

const hasCompletion: Rule = (stage, addFinding) => {
  if (completionName(stage) === null)
    addFinding('P011', stage, `${quoted(stage.name)} does not say when it is enough: "completion" is missing`)
}

const hasOption: Rule = (stage, addFinding) => {
  const { fields, items } = stage
  const position = fields.completion ?? stage
  const name = completionName(stage)
  if (name === 'until' && fields.until === undefined)
    addFinding('P012', position, '"until" needs a shell line: until: npm test')
  if (name === 'all-items' && fields.items === undefined && fields.itemsFrom === undefined)
    addFinding('P012', position, 'all-items needs "items" or "items_from"')
  if (name === 'all-items' && items?.length === 0)
    addFinding('P013', fields.items ?? fields.itemsFrom ?? position, 'there is no item in the list')
}

/** Does not report options of a stage for a completion that its pipeline overrides. */
const usesOptions: Rule = (stage, addFinding) => {
  const name = completionName(stage)
  if (name === null) return
  for (const option of options) {
    const given = stage.fields[option]
    const replaced =
      stage.fields.completion !== undefined && given?.file !== stage.file && stage.fields.completion.file === stage.file
    if (given === undefined || optionsOf[name].includes(option) || replaced) continue
    addFinding('P014', given, `${quoted(snakeCase(option))} has no meaning for ${name}`)
  }
}

const declaresPlateau: Rule = (stage, addFinding) => {
  const { completion, outputParse } = stage.fields
  if (
    completion?.value !== 'plateau'
    || outputParse === undefined
    || outputParse.value.some(({ field }) => field === 'plateau')
  )
    return
  addFinding('P015', outputParse, 'agents may say it in lines of their own, but not "plateau", which decides')
}

const canComplete: Rule = (stage, addFinding) => {
  const name = completionName(stage)
  const runs = runsOf(stage)
  const least = minPassesOf(stage)
  const position = stage.fields.runs ?? stage
  if (name !== null && optionsOf[name].includes('minIterations') && runs < least) {
    addFinding(
      'P016',
      position,
      `${plural(runs, 'run')} and at least ${plural(least, 'iteration')}: the completion is never evaluated`,
    )
  } else if (name === 'plateau' && runs < 2) {
    addFinding('P017', position, 'a plateau takes two turns that agree, and there is one run')
  }
}

const runsFit: Rule = (stage, addFinding) => {
  const {
    items,
    fields: { runs },
  } = stage
  const name = completionName(stage)
  if (name === 'fixed-n' && runs === undefined && !stage.inline)
    addFinding('P018', stage.fields.completion ?? stage, `fixed-n without "runs": there will be ${runsOf(stage)}`)
  if (name === 'all-items' && runs !== undefined && items !== null && runs.value < items.length) {
    addFinding(
      'P019',
      runs,
      `${plural(runs.value, 'run')} for ${plural(items.length, 'item')}: the last ones are never reached`,
    )
  }
}

const hasEffect: Rule = ({ fields: { checkBefore } }, addFinding) => {
  if (checkBefore !== undefined)
    addFinding('P020', checkBefore, '"check_before" has no effect: Looper always polls for tasks first')
}

const knowsVariables: Rule = ({ prompt }, addFinding) => {
  if (prompt === null) return
  for (const { name, linesAbove } of variablesIn(prompt.text)) {
    if (Object.hasOwn(variables, name) || name.startsWith(inputsPrefix)) continue
    addFinding(
      'P021',
      placeIn(prompt, linesAbove),
      `unknown variable \${${name}}${meant(name, Object.keys(variables))}`,
    )
  }
}

const fillsVariables: Rule = (stage, addFinding) => {
  const {
    prompt,
    fields: { perspectives },
  } = stage
  if (prompt === null) return
  const name = completionName(stage)
  const used = variablesIn(prompt.text)
  const uses = (variable: string): boolean => used.some((use) => use.name === variable)
  const seen = (perspectives?.value.length ?? 0) > 0
  if (name === 'all-items' && !uses('ITEM'))
    addFinding('P022', prompt, 'the prompt does not use ${ITEM}: every iteration would be the same')
  if (perspectives !== undefined && seen && !uses('PERSPECTIVE'))
    addFinding('P023', perspectives, 'the prompt does not use ${PERSPECTIVE}')
  const empty = [
    ...(name === 'all-items' ? [] : ['ITEM']),
    ...(seen ? [] : ['PERSPECTIVE']),
    ...(name === 'tasks-empty' || name === 'beads-empty' ? [] : ['TASK']),
  ]
  for (const use of used) {
    if (empty.includes(use.name))
      addFinding('P024', placeIn(prompt, use.linesAbove), `\${${use.name}} is always empty in this stage`)
  }
}

const rules: readonly Rule[] = [
  hasPrompt,
  hasCompletion,
  hasOption,
  usesOptions,
  declaresPlateau,
  canComplete,
  runsFit,
  hasEffect,
  knowsVariables,
  fillsVariables,
]

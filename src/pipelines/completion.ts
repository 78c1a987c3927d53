/** Derives the completion and the number of iterations of a stage from its settings. */
import type { Completion } from '../model/loop.ts'
import type { StageDefinition } from './definition.ts'
import type { CompletionName, StageFields } from './keys.ts'

export type Option = Extract<
  keyof StageFields,
  'items' | 'itemsFrom' | 'until' | 'confidence' | 'source' | 'minIterations'
>
export const options: readonly Option[] = ['items', 'itemsFrom', 'until', 'confidence', 'source', 'minIterations']

/** The options that each completion uses. */
export const optionsOf: Readonly<Record<CompletionName, readonly Option[]>> = {
  'tasks-empty': ['source'],
  'beads-empty': [],
  plateau: ['minIterations'],
  'fixed-n': [],
  'all-items': ['items', 'itemsFrom'],
  judge: ['confidence', 'minIterations'],
  until: ['until', 'minIterations'],
}

const usualRuns = 25
const usualFixed = 5
const usualConfidence = 0.5

/** A prompt inside a pipeline runs once by default. */
export const completionName = ({ fields, inline }: StageDefinition): CompletionName | null =>
  fields.completion?.value ?? (inline ? 'fixed-n' : null)

export function runsOf(stage: StageDefinition): number {
  const given = stage.fields.runs?.value
  switch (completionName(stage)) {
    case 'all-items':
      return Math.min(given ?? Infinity, stage.items?.length ?? 0)
    case 'fixed-n':
      return given ?? (stage.inline ? 1 : usualFixed)
    default:
      return given ?? usualRuns
  }
}

/** The default is 1. */
export const minPassesOf = ({ fields }: StageDefinition): number => fields.minIterations?.value ?? 1

/** Returns null when a required option is missing. */
export function completionOf(stage: StageDefinition): Completion | null {
  const { fields, items } = stage
  const name = completionName(stage)
  switch (name) {
    case null:
      return null
    case 'tasks-empty':
      return { kind: 'tasks-empty', source: fields.source?.value ?? 'todo-file' }
    case 'beads-empty':
      return { kind: 'tasks-empty', source: 'beads' }
    case 'plateau':
      return { kind: 'plateau' }
    case 'fixed-n':
      return { kind: 'fixed-n' }
    case 'all-items':
      return items === null ? null : { kind: 'all-items', items: items.slice(0, runsOf(stage)) }
    case 'judge':
      return { kind: 'judge', confidence: fields.confidence?.value ?? usualConfidence }
    case 'until':
      return fields.until === undefined ? null : { kind: 'until', command: fields.until.value }
  }
}

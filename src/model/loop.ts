/** Loop stages and pipelines: one prompt, repeated with fresh agents until the completion condition is met. */
import type { SourceKind } from './source.ts'

export type Completion =
  /** The task source has no tasks left. */
  | { kind: 'tasks-empty'; source: SourceKind }
  /** Two consecutive turns, each by a fresh agent, declare that more passes would gain nothing. */
  | { kind: 'plateau' }
  | { kind: 'fixed-n' }
  /** One iteration per item. */
  | { kind: 'all-items'; items: string[] }
  /** An independent judge says stop with at least this confidence. */
  | { kind: 'judge'; confidence: number }
  /** A shell command of the user that exits 0. */
  | { kind: 'until'; command: string }

/**
 * A field of the answer that may also be a separate line: `LABEL: value`, or `<tag>value</tag>` for the label `<tag>`.
 */
export interface ParsedField {
  field: string
  label: string
}

export interface LoopStage {
  /** Its name within the pipeline; later stages refer to its output by this name. */
  name: string
  /** The name of the stage definition. */
  stage: string
  description: string
  /** May contain `${…}` variables. */
  prompt: string
  completion: Completion
  /** No completion is evaluated before this many iterations. */
  minIterations: number
  /** Maximum number of iterations; the exact number for `fixed-n`. */
  runs: number
  delaySeconds: number
  agent: string | null
  model: string | null
  /** Used in rotation, one per iteration. */
  perspectives: string[]
  outputParse: ParsedField[]
  /** Whether the project's checks judge the changes of an iteration. */
  checks: boolean
}

export interface Pipeline {
  name: string
  description: string
  stages: LoopStage[]
}

/** The maximum number of passes. */
export const maxPassesOf = ({ completion, runs }: LoopStage): number =>
  completion.kind === 'all-items' ? completion.items.length : runs

/** How many of the newest passes later agents read in full. Older ones get one line each; the journal has all. */
export const mostInFull = 12
/** How many of the newest outputs of a stage later stages receive. More would be little but headings. */
export const mostOutputs = 50

/**
 * Loop stages and pipelines: one prompt, again and again with fresh agents, until its completion says that it is
 * enough.
 */
import type { SourceKind } from './source.ts'

export type Completion =
  /** Nothing is left to do in the source of tasks. */
  | { kind: 'tasks-empty'; source: SourceKind }
  /** Two consecutive turns, each by a fresh agent, declare that nothing more is to be gained. */
  | { kind: 'plateau' }
  | { kind: 'fixed-n' }
  /** One iteration for each. */
  | { kind: 'all-items'; items: string[] }
  /** An independent judge says stop, at least so sure. */
  | { kind: 'judge'; confidence: number }
  /** A shell line of the user's that exits 0. */
  | { kind: 'until'; command: string }

/**
 * A field of the answer that may also be given as a line of its own: `LABEL: value`, or `<tag>value</tag>` for the
 * label `<tag>`.
 */
export interface ParsedField {
  field: string
  label: string
}

export interface LoopStage {
  /** Its name within the pipeline, by which later stages find its output. */
  name: string
  /** The definition it was made from. */
  stage: string
  description: string
  /** With `${…}` variables. */
  prompt: string
  completion: Completion
  /** Before this many, no completion is looked at. */
  minIterations: number
  /** Iterations at most; for `fixed-n` exactly. */
  runs: number
  delaySeconds: number
  agent: string | null
  model: string | null
  /** One after the other, over and over. */
  perspectives: string[]
  outputParse: ParsedField[]
  /** Whether the project's checks judge what an iteration changed. */
  checks: boolean
}

export interface Pipeline {
  name: string
  description: string
  stages: LoopStage[]
}

/** How often it can pass at most. */
export const iterationsOf = ({ completion, runs }: LoopStage): number =>
  completion.kind === 'all-items' ? completion.items.length : runs

/** Passes that later agents read of in full, the newest; older ones are a line each, and the journal has them all. */
export const mostInFull = 12
/** Outputs of a stage that later ones are given, the newest; more would be headings and little else. */
export const mostOutputs = 50

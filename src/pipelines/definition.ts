/** A pipeline as its files define it, before linting: every setting with its source position. */
import type { DefinitionLine } from './finding.ts'
import type { StageFields } from './keys.ts'

export interface Prompt extends DefinitionLine {
  text: string
  /** Whether lines of the text correspond to lines of the file, counted from its position. */
  aligned: boolean
}

export interface StageDefinition extends DefinitionLine {
  /** The name within the pipeline. */
  name: string
  /** The name of the definition. */
  stage: string
  /** The settings of the stage, overridden by those of the pipeline. */
  fields: StageFields
  prompt: Prompt | null
  /** From `items` or `items_from`. */
  items: string[] | null
  /** Whether it is defined inside the pipeline instead of in its own folder. */
  inline: boolean
}

export interface Definition extends DefinitionLine {
  name: string
  description: string
  /** Whether it is a single stage, so that the stages before and after it are unknown. */
  single: boolean
  stages: StageDefinition[]
}

export const placeIn = ({ file, line, aligned }: Prompt, linesAbove: number): DefinitionLine => ({
  file,
  line: aligned ? line + linesAbove : line,
})

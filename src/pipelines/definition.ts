/** A pipeline as its files define it, before it is judged: every setting with the place that it comes from. */
import type { Place } from './finding.ts'
import type { StageFields } from './keys.ts'

export interface Prompt extends Place {
  text: string
  /** Whether line N of the text is line N of the file, counted from its place. */
  aligned: boolean
}

export interface StageDefinition extends Place {
  /** Within the pipeline. */
  name: string
  /** That of the definition. */
  stage: string
  /** Those of the stage, under those of the pipeline. */
  fields: StageFields
  prompt: Prompt | null
  /** Whatever way they were given. */
  items: string[] | null
  /** Defined within the pipeline, not in a folder of its own. */
  inline: boolean
}

export interface Definition extends Place {
  name: string
  description: string
  /** A stage by itself: what comes before and after it is not known. */
  single: boolean
  stages: StageDefinition[]
}

export const placeIn = ({ file, line, aligned }: Prompt, linesAbove: number): Place => ({
  file,
  line: aligned ? line + linesAbove : line,
})

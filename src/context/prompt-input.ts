/** The input from which the prompt of a turn is made. */
import type { RunState } from '../model/state.ts'
import type { TurnWork } from '../model/work.ts'

export interface PromptInput {
  state: RunState
  work: TurnWork
  /** A readable diff of the workspace, for judging roles. */
  diff: string | null
  /** The path of the workspace, for prompts that name files in it. */
  cwd: string
}

/** Renders the prompt that an agent reads on stdin. Pure except for reading the templates. */
export type RenderPrompt = (input: PromptInput) => string

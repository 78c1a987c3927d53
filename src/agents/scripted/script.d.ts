/** Types of script.js for the TypeScript side. */
export interface Match {
  role?: string
  purpose?: string
  /** The task's id, or its title as the prompt shows it beside the id. */
  task?: string
  attempt?: number
  /** Matches only the nth turn that fits the rest of the match. */
  nth?: number
  /** Text that the prompt must contain. */
  prompt?: string
}

export interface Step {
  kind: string
  value: unknown
}

export interface Turn {
  match: Match
  /** How many turns may use this entry. */
  times: number
  steps: Step[]
}

export interface Script {
  turns: Turn[]
}

export function parseScript(
  source: string,
): { ok: true; script: Script } | { ok: false; problem: { line: number; message: string } }

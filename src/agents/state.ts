/**
 * The folders in which an agent keeps its login, sessions and settings: writable in the sandbox of its own turns,
 * hidden in others.
 */

export interface StateRequest {
  home: string
  env: Readonly<Record<string, string | undefined>>
}

export interface AgentState {
  /** Folders. */
  writable: string[]
  /** Files of JSON beside them. */
  files: string[]
  /**
   * Settings and programs among them, which take effect whenever the user starts the agent: a turn that could change
   * them could run commands outside the sandbox later.
   */
  protect: string[]
}

export type StateOf = (request: StateRequest) => AgentState

/** For programs that may start any of these agents. */
export const allStates =
  (states: readonly StateOf[]): StateOf =>
  (request) => {
    const found = states.map((stateOf) => stateOf(request))
    return {
      writable: found.flatMap(({ writable }) => writable),
      files: found.flatMap(({ files }) => files),
      protect: found.flatMap(({ protect }) => protect),
    }
  }

/**
 * The folders of an agent's login, sessions and settings: writable in the sandbox of its own turns, hidden in others.
 */

export interface StateRequest {
  home: string
  env: Readonly<Record<string, string | undefined>>
}

export interface AgentState {
  writable: string[]
  /** JSON files outside these folders. */
  files: string[]
  /**
   * Settings and programs among them that take effect when the user starts the agent. A turn that could change them
   * could later run commands outside the sandbox.
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

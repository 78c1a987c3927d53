/** The run's view of the task source. */

export interface BacklogState {
  polls: number
  /** A task claimed in the source and not started yet. */
  claimed: string | null
  /** Nothing has happened since the last poll. */
  fresh: boolean
  problems: string[]
  /** The source's text, when it cannot be parsed and an agent must repair it. */
  text?: string
  reviews: number
  complete: boolean
  /** How often a planner's backlog was written since a person last intervened. */
  written: number
  /** Number of tasks that this run has done. */
  finished: number
}

export interface BacklogSlice {
  /** Null unless tasks come from a source. */
  backlog: BacklogState | null
}

/** The task source as far as the run knows it. */

export interface BacklogState {
  looks: number
  /** Claimed there and not begun yet. */
  claimed: string | null
  /** Nothing has happened since the last look. */
  fresh: boolean
  problems: string[]
  /** The source's text, when it cannot be understood and an agent is to repair it. */
  text?: string
  reviews: number
  complete: boolean
  /** How often a planner's backlog was put there since a person last looked. */
  written: number
  /** Tasks that this run has done. */
  finished: number
}

export interface BacklogSlice {
  /** Null unless tasks come from a source. */
  backlog: BacklogState | null
}

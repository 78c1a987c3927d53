/** Whether an engine runs a run now, and what a crashed one left behind. */

export interface LeftAgent {
  /** The id of its turn. */
  turn: string
  pid: number
}

export interface LeftBehind {
  /** Agents whose processes still run. */
  agents: LeftAgent[]
  /** Turns that were ended because they exceeded a bound, and which. */
  ended: { turn: string; why: string }[]
  /** A keeper holds the agents to their limits. */
  kept: boolean
}

/** Whether an engine holds the run now; the caller looked at its lock. */
export interface Liveness {
  live: boolean
  /**
   * Which process that is and when it last said that it is well, as far as that is known. A late heartbeat means
   * nothing.
   */
  holder?: { pid: number; heartbeatAt: string } | null
  /** What a crashed run left behind; null or absent when it was not inspected. */
  left?: LeftBehind | null
}

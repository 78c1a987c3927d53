/** Whether an engine is running the run now, and what a crashed one left behind. */

export interface LeftAgent {
  /** The id of its turn. */
  turn: string
  pid: number
}

export interface LeftBehind {
  /** Agents whose processes still run. */
  agents: LeftAgent[]
  /** Turns that were ended because they exceeded a limit, with that limit. */
  ended: { turn: string; why: string }[]
  /** A keeper enforces the limits of the agents. */
  kept: boolean
}

/** Whether an engine has the run now; the caller checked its lock. */
export interface Liveness {
  live: boolean
  /** The process and its last heartbeat, if known. A late heartbeat proves nothing. */
  holder?: { pid: number; heartbeatAt: string } | null
  /** What a crashed run left behind; null or absent when it was not inspected. */
  left?: LeftBehind | null
}

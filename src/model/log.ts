/**
 * The log of a run: what agents said and did, in five types of lines that tools for agent logs know. Derived, never
 * kept.
 */
import type { Role } from './purposes.ts'

export const logTypes = ['message', 'tool_use', 'command', 'error', 'summary'] as const
export type LogType = (typeof logTypes)[number]

/** Whose line it is. Looper's own, such as the checks it runs, have neither role nor agent. */
export interface LogOrigin {
  run: string
  task: string | null
  /** The id of the work: a turn, or what Looper did itself; null when it concerns the run as a whole. */
  turn: string | null
  role: Role | null
  agent: string | null
}

export type LogContent =
  | { type: 'message'; content: string }
  | { type: 'tool_use'; name: string; input: unknown }
  /** Null: nobody told how it exited. */
  | { type: 'command'; command: string; exitCode: number | null }
  | { type: 'error'; error: string }
  /** What a turn's answer amounts to. */
  | { type: 'summary'; status: string; task_id: string | null; summary: string; new_tasks: unknown[] }

/**
 * `timestamp` is an ISO time: as the agent tells it, otherwise when its turn began or, followed live, when the line was
 * seen.
 */
export type LogEvent = LogContent & { timestamp: string } & LogOrigin

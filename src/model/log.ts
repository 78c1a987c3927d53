/**
 * The log of a run: agent output and actions, in five line types that agent log tools understand. Derived, never
 * stored.
 */
import type { Role } from './purposes.ts'

export const logTypes = ['message', 'tool_use', 'command', 'error', 'summary'] as const
export type LogType = (typeof logTypes)[number]

/** The origin of a line. Looper's own lines, such as its checks, have neither role nor agent. */
export interface LogOrigin {
  run: string
  task: string | null
  /** The id of the turn or of Looper's own work; null when the line concerns the run as a whole. */
  turn: string | null
  role: Role | null
  agent: string | null
}

export type LogContent =
  | { type: 'message'; content: string }
  | { type: 'tool_use'; name: string; input: unknown }
  /** `exitCode` null: the exit code is unknown. */
  | { type: 'command'; command: string; exitCode: number | null }
  | { type: 'error'; error: string }
  /** The summary of a turn's answer. */
  | { type: 'summary'; status: string; task_id: string | null; summary: string; new_tasks: unknown[] }

/**
 * `timestamp` is an ISO time: the agent's own, otherwise when its turn began or, when following live, when the line
 * appeared.
 */
export type LogEvent = LogContent & { timestamp: string } & LogOrigin

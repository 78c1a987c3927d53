/** Maintenance: checks the machine and the repository, and removes old runs. */
import type { Cleaning } from '../views/cleaning.ts'

export interface DoctorRow {
  check: string
  ok: boolean
  detail: string
  hint: string | null
}

export interface CleanRequest {
  /** Keep this many of the newest runs; null: no such limit. */
  keep: number | null
  /** Keep runs younger than this; null: no such limit. `text` is the age as typed. */
  age: { ms: number; text: string } | null
  /** Also runs that could be resumed, are not applied, or cannot be read. Never a live one. */
  all: boolean
  /** Only the output of agents, of runs that have ended. */
  turns: boolean
}

/** What would be removed; nothing is removed yet. */
export interface PreparedClean {
  plan: Cleaning
  perform(): Promise<Cleaning>
}

export interface Upkeep {
  prepareClean(request: CleanRequest): Promise<PreparedClean>
  doctor(options: { repair: boolean }): Promise<DoctorRow[]>
}

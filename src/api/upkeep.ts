/** Maintenance: checks the machine and the repository, and removes old runs. */
import type { CacheCleaning } from '../views/history/cache-cleaning.ts'
import type { Cleaning } from '../views/history/cleaning.ts'

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

export interface CheckBaseOptions {
  /** Ends the command that is running; the rest is not run. */
  signal: AbortSignal
  /** Called when a command starts. */
  onStart(command: string): void
  /** Called with each row as soon as it is known. */
  onRow(row: DoctorRow): void
}

/** What would be removed; nothing is removed yet. */
export interface PreparedClean {
  plan: Cleaning
  perform(): Promise<Cleaning>
}

/** The same for the stored products of set-up. */
export interface PreparedCacheClean {
  plan: CacheCleaning
  perform(): Promise<CacheCleaning>
}

export interface Upkeep {
  prepareClean(request: CleanRequest): Promise<PreparedClean>
  prepareCacheClean(): Promise<PreparedCacheClean>
  doctor(options: { repair: boolean }): Promise<DoctorRow[]>
  /** Runs set-up and every check on HEAD, where a run would run them. Nothing is written to the repository. */
  checkBase(options: CheckBaseOptions): Promise<void>
}

/** What main.ts passes to the command line: Looper's API, and functions that only a command line needs. */
import type { App } from '../../api/app.ts'
import type { RunRequest } from '../../api/runs.ts'
import type { Candidate, Source } from './completion/table.ts'

export interface Host {
  app: App
  /** The installed package. */
  packageFolder: string
  /**
   * Candidates for shell completion from the repository around `cwd`. Tasks and questions are those of `run`, or of the
   * newest run.
   */
  candidates(cwd: string, source: Source, run: string | null): Promise<Candidate[]>
  /** Opens the file in the user's editor, on this terminal; resolves when the editor ends. Throws when it fails. */
  edit(path: string): Promise<void>
  /** Receives the job that this process was started for. */
  takeJob(socket: string): Promise<DetachedJob>
}

/** A run request from another process, and the functions that report back to it. */
export interface DetachedJob {
  /** With the environment of the other process. */
  app: App
  cwd: string
  request: RunRequest
  /** Whether it prints to a terminal, which the user may close. */
  terminal: boolean
  started(run: string): void
  /** Does nothing once the run has started. */
  refused(error: unknown): void
  /** Calls back when the other process ends before the run has started. */
  onAbandoned(callback: () => void): void
}

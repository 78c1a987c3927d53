/** What main.ts gives the command line: Looper's API, and the uses that only a command line has. */
import type { App } from '../../api/app.ts'
import type { RunRequest } from '../../api/runs.ts'
import type { Candidate, Source } from './completion/table.ts'

export interface Host {
  app: App
  /** The installed package. */
  packageFolder: string
  /** For shells: names that the repository around `cwd` knows. Tasks and questions are of `run`, or of the newest. */
  candidates(cwd: string, source: Source, run: string | null): Promise<Candidate[]>
  /** Receives the job that this process was started for. */
  takeJob(socket: string): Promise<DetachedJob>
}

/** A run request of another process, and how to report to that process. */
export interface DetachedJob {
  /** With the environment of the other process. */
  app: App
  cwd: string
  request: RunRequest
  /** It prints to a terminal, which the user may close. */
  terminal: boolean
  started(run: string): void
  /** Does nothing once the run has started. */
  refused(error: unknown): void
  /** Calls back when the other process ends before the run has started. */
  onAbandoned(callback: () => void): void
}

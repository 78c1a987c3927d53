/** The backlog of a repository: listing, validating, formatting, importing into it. */
import type { SourceStatus } from '../model/source.ts'
import type { BacklogTask } from '../views/status/backlog.ts'

/** The file of a backlog, and every problem in it. */
export interface ValidatedBacklog {
  file: string
  tasks: number
  problems: BacklogProblem[]
  /** Problems that do not stop a run. */
  warnings: BacklogProblem[]
  /** False when there may be more problems than these. */
  complete: boolean
}

export interface BacklogProblem {
  kind: string
  /** As in `tasks[3].title`; empty for the whole file. */
  path: string
  line: number
  column: number
  message: string
}

export interface FormattedBacklog {
  file: string
  text: string
  /** Whether the formatted text differs from the file. */
  changed: boolean
  /** Empty when nothing changed, or when no diff was requested. */
  diff: string
}

export interface ImportRequest {
  /** `list` null: the newest. */
  from: { kind: 'path'; path: string } | { kind: 'beads' } | { kind: 'claude'; list: string | null }
  /** Import only beads issues with this label. */
  label: string | null
  /** The backlog; null: that of the repository. */
  into: string | null
  dryRun: boolean
}

export interface ImportedRow {
  id: string
  title: string
  status: SourceStatus
}

export interface ImportReport {
  /** What was read, and the format it was read as. */
  source: string
  format: string
  /** The backlog. */
  file: string
  dryRun: boolean
  added: ImportedRow[]
  /** Tasks that are open in the backlog and closed in the source. */
  closed: ImportedRow[]
  /** Ids of tasks that the backlog already had. */
  unchanged: string[]
  /** What could not be carried over. */
  notes: string[]
}

/** `file` null means the backlog of the configuration. */
export interface Backlogs {
  /** Null when there is no backlog. */
  backlog(file: string | null): Promise<BacklogTask[] | null>
  validateBacklog(file: string | null): Promise<ValidatedBacklog>
  formatBacklog(file: string | null, options: { write: boolean; diff: boolean }): Promise<FormattedBacklog>
  /**
   * Brings the tasks of another program into the backlog. Throws CONFIG_BACKLOG, with nothing written, when they cannot
   * be read.
   */
  importTasks(request: ImportRequest): Promise<ImportReport>
}

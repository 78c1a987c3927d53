/** The runs of a repository, wherever they are stored. Everything that is known about a run is reached from here. */
import type { StoredInbox } from './inbox.ts'
import type { StoredJournal } from './journal.ts'

export interface RunStore {
  /** A folder on this machine for files that belong to no run, such as the output of a run that is starting. */
  readonly folder: string
  /** Ids of all runs, oldest first. */
  list(): Promise<string[]>
  /** The id that the next run would get. Its number is higher than those of all runs and of the names in `taken`. */
  nextId(goal: string, taken?: readonly string[]): Promise<string>
  /** Creates an empty run. Its number is claimed atomically, so two processes never get the same one. */
  create(goal: string, taken?: readonly string[]): Promise<StoredRun>
  /** Never fails: a run that does not exist has no events. */
  open(id: string): StoredRun
  /**
   * Takes the run off the list, in one step that a crash cannot divide. Returns the folder that the caller has to
   * remove. The caller holds the run's lock.
   */
  retire(id: string): Promise<string>
  /** Runs that were retired and whose folder still exists. */
  retired(): Promise<{ id: string; folder: string }[]>
  /** Updates what shows people the newest run. Call it after runs were retired, also by a process that crashed. */
  refresh(): Promise<void>
}

export interface StoredRun {
  readonly id: string
  /**
   * The run's folder on this machine, for what needs real files: agents and their keeper, git, hooks, files for people.
   * It is the same string whenever the run is opened, and differs between all runs of all stores.
   */
  readonly folder: string
  readonly journal: StoredJournal
  readonly inbox: StoredInbox
  readonly lock: RunLock
  readonly artifacts: Artifacts
}

/** The right of one process to write to a run. It ends with the process at the latest. */
export interface RunLock {
  /** Null while another process holds the lock. */
  acquire(): Promise<HeldRunLock | null>
  isHeld(): Promise<boolean>
  /** Asks the holder to read its inbox and returns true when it answered. */
  nudge(): Promise<boolean>
  /** The holder, as far as it is known. */
  holder(): Promise<RunHolder | null>
  /** Continues a suspended holder and returns its pid; null when it is not suspended or cannot be continued. */
  wakeHolder(): Promise<number | null>
}

export interface HeldRunLock {
  onNudge(callback: () => void): void
  /** Records, for people, that this process holds the run and is alive. */
  beat(): Promise<void>
  release(): Promise<void>
}

export interface RunHolder {
  pid: number
  /** ISO time. */
  heartbeatAt: string
}

/** Files beside the journal, of turns and checks. Names are relative to the run: `turns/plan.1/stream`. */
export interface Artifacts {
  /** Names of the folders in a folder; empty when it does not exist. */
  folders(name: string): Promise<string[]>
  exists(name: string): Promise<boolean>
  /** The beginning of a file as text; null when it is missing, cannot be read or is no plain file. */
  read(name: string, maxBytes: number): Promise<string | null>
  /** Replaces a file atomically and durably. */
  write(name: string, text: string): Promise<void>
  /** Opens a file that may still grow; null when it is missing, cannot be read or is no plain file. */
  open(name: string): Promise<OpenArtifact | null>
}

/** A file that was replaced after it was opened keeps its old content here. */
export interface OpenArtifact {
  size(): Promise<number>
  /** Fills `into` from `offset`, and gives the number of bytes; 0 at the end. */
  read(offset: number, into: Uint8Array): Promise<number>
  close(): Promise<void>
}

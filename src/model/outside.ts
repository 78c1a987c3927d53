/** Changes outside the workspaces of a run without a sandbox. */
import type { Role } from './purposes.ts'

export interface OutsidePaths {
  /** Paths as people write them: `src/a.ts`, `.git/config`, `refs/heads/main`, `~/.profile`. */
  paths: string[]
  /** Number of further paths that are not listed. */
  more: number
}

/** Work that was running. Either it or a person may have made the change. */
export interface Bystander {
  work: string
  task: string | null
  what: Role | 'check' | 'setup'
}

export interface OutsideChange extends OutsidePaths {
  /** Empty when the change was found after all work had ended. */
  during: Bystander[]
}

/** The files around the workspaces. Must not throw. */
export interface Surroundings {
  /** Changes since the last call; null when there are none. `whole`: compare a large checkout as well. */
  changed(whole: boolean): OutsidePaths | null
  /** False when preparing a workspace runs no command. */
  setsUp?: boolean
}

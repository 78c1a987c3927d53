/** Changes outside the workspaces of a run that is not confined. */
import type { Role } from './purposes.ts'

export interface OutsidePaths {
  /** As people write them: `src/a.ts`, `.git/config`, `refs/heads/main`, `~/.profile`. */
  paths: string[]
  /** How many others there are. */
  more: number
}

/** Work that was under way. It may have made the change, and so may a person. */
export interface Bystander {
  work: string
  task: string | null
  what: Role | 'check' | 'setup'
}

export interface OutsideChange extends OutsidePaths {
  /** Empty when it was seen after all work. */
  during: Bystander[]
}

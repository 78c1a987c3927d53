/** The input and the result of the discovery of checks. */
import type { CheckConfig } from '../model/config.ts'

export interface Discovery {
  checks: CheckConfig[]
  /** Problems to show to the user, such as a package.json that cannot be read. */
  notes: string[]
}

/** The files at the root. Reading a file that is missing or unreadable yields null. */
export interface Project {
  files: ReadonlySet<string>
  read: (name: string) => Promise<string | null>
}

/** What is known of a project when its checks are discovered, and what was found. */
import type { CheckConfig } from '../model/config.ts'

export interface Discovery {
  checks: CheckConfig[]
  /** Oddities worth a line to a person, like a package.json that cannot be read. */
  notes: string[]
}

/** The files at the root that matter here; reading one that is absent or unreadable yields null. */
export interface Project {
  files: ReadonlySet<string>
  read: (name: string) => Promise<string | null>
}

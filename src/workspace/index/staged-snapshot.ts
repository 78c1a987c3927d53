/** What Looper remembers of a work tree after a snapshot. */
import type { Change } from '../git/change.ts'

/** What lies in a work tree beside the files of its index: path to a fingerprint. */
export type Others = ReadonlyMap<string, string>

/** The state of the work tree when git last staged everything, and the result. */
export interface StagedSnapshot {
  /** Files that git did not stage then, because rules ignore them. Files that it staged are in the index now. */
  others: Others
  /** Fingerprints of the rules outside the work tree. */
  rules: string
  base: string
  tree: string
  changes: Change[]
}

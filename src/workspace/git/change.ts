/** Describes how one path differs between two trees. */

export interface Entry {
  mode: string
  object: string
}

export interface Change {
  path: string
  /** Null when the path did not exist. */
  from: Entry | null
  to: Entry | null
  insertions: number
  deletions: number
}

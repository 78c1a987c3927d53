/** What a cheat is: a small project, and a change that breaks its product while its own check stays green. */

/** By path; null: the file is removed. */
export type Files = Readonly<Record<string, string | null>>

export interface Project {
  ecosystem: string
  /** The command that judges the work. */
  check: string
  files: Readonly<Record<string, string>>
  /** Passes only where the product is right; it knows nothing of tests. */
  truth: string
  /** A folder of this repository that the check needs beside the files. */
  needs?: 'node_modules'
}

export interface Cheat {
  project: Project
  name: string
  change: Files
}

/** A text with one part replaced, which must be there. */
export function edited(text: string, part: string, by: string): string {
  if (!text.includes(part)) throw new Error(`not in the text: ${part}`)
  return text.replace(part, () => by)
}

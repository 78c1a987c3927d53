/**
 * The command line as a shell needs to know it: made from the commands' own definitions when Looper is built, and only
 * read afterwards.
 */

/** Names that only the repository at hand knows. */
export type Source = 'run' | 'task' | 'question' | 'agent' | 'session' | 'pipeline' | 'list' | 'key' | 'file' | 'folder'

/** What may stand somewhere: one of these words, or a name to look up; nothing known otherwise. */
export interface Value {
  choices?: string[]
  source?: Source
  /** Several with commas between them. */
  list?: true
}

export interface OptionRow {
  names: string[]
  about: string
  /** Absent: it takes none. */
  value?: Value
  repeats?: true
}

export interface ArgumentRow {
  value: Value
  repeats?: true
}

export interface CommandRow {
  /** Two words for a command within a group. */
  name: string
  about: string
  arguments: ArgumentRow[]
  options: OptionRow[]
}

/** One way to go on, with a few words about it. */
export interface Candidate {
  value: string
  about: string
}

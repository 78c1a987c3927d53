/**
 * The description of the command line for completion: generated from the definitions of the commands at build time, and
 * only read afterwards.
 */
import type { Flag } from '../read-arguments.ts'

/** Kinds of names that have to be looked up in the repository. */
export type Source = 'run' | 'task' | 'question' | 'agent' | 'session' | 'pipeline' | 'list' | 'key' | 'file' | 'folder'

/** The possible values at a position: fixed words, names to look up, or unknown when both are absent. */
export interface Value {
  choices?: string[]
  source?: Source
  /** Several values, separated by commas. */
  list?: true
}

export interface OptionRow extends Flag {
  about: string
  /** Absent when the option takes no value. */
  value?: Value
  repeats?: true
}

export interface ArgumentRow {
  value: Value
  repeats?: true
}

export interface CommandRow {
  /** Two words for a command in a group. */
  name: string
  about: string
  arguments: ArgumentRow[]
  options: OptionRow[]
}

/** A possible completion and its description. */
export interface Candidate {
  value: string
  about: string
}

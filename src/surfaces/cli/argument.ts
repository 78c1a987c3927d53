/** A positional argument as a command declares it. */

/** `[run]`, `<task>` or `[values...]`, and its description. */
export type ArgumentLine = readonly [term: string, about: string]

export interface Argument {
  term: string
  name: string
  about: string
  isRequired: boolean
  /** Takes all words that are left. */
  repeats: boolean
}

export const argumentOf = ([term, about]: ArgumentLine): Argument => ({
  term,
  name: term.replaceAll(/[^\w-]/g, ''),
  about,
  isRequired: term.startsWith('<'),
  repeats: term.includes('...'),
})

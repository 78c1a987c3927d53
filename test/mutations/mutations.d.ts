/**
 * The shape of the list, for the test that reads it: the list itself is plain JavaScript, so that Node runs it as it
 * is.
 */
export interface Mutation {
  law: string
  bug: string
  /** Under `src/`. */
  file: string
  /** Occurs exactly once in the file, however it is wrapped. */
  from: string
  to: string
  /** The seed to begin with, where worlds that show it are rare. */
  first?: number
}

export const mutations: Mutation[]

export function plant(source: string, mutation: Mutation): string

import type { Mutation } from './mutations.js'

/** `result`: how the bug was found, as in the column of that name. `detail`: what the checker said. */
export function rowOf(mutation: Mutation, result: string, detail: string): string

/** The text with these rows in place of older ones; rows of bugs that are no longer planted are left out. */
export function mergeResults(text: string, rows: readonly string[], mutations: readonly Mutation[]): string

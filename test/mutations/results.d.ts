import type { Mutation } from './mutations.js'

/** `result`: how the bug was found, as in the column of that name. `detail`: what the checker said. */
export function rowOf(mutation: Mutation, result: string, detail: string): string

/** The text with these rows in place of older ones; rows of bugs that are no longer planted are left out. */
export function mergeResults(text: string, rows: readonly string[], mutations: readonly Mutation[]): string

/** The world that found the bug, as the text says; null when it names none. */
export function seedOf(text: string, mutation: Mutation): number | null

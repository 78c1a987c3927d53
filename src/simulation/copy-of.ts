/** Copies a value as the journal would: what JSON cannot hold is lost, and nothing is shared with the original. */
export const copyOf = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

/** The reason of a task that waits for the answer to a question: journals hold it as text. */

const begins = 'waiting for an answer to '

export const waitsFor = (question: string): string => `${begins}${question}`

/** The question that the task waits for; null when it is blocked by something else. */
export const waitedFor = (reason: string | null): string | null =>
  reason?.startsWith(begins) ? reason.slice(begins.length) : null

/** The reason text of a task that waits for an answer. Journals store it as text. */

const begins = 'waiting for an answer to '

export const waitsFor = (question: string): string => `${begins}${question}`

/** The question that the task waits for; null when something else blocks it. */
export const waitedFor = (reason: string | null): string | null =>
  reason?.startsWith(begins) ? reason.slice(begins.length) : null

/** How the tries at one question are named: after the question, and after what led to the try. */

type Step = 'repair' | 'retry' | 'fresh' | `again${number}` | `wait${number}` | 'quota'

const steps = /(?:\.(?:repair|retry|fresh|again\d+|wait\d+|quota))+$/

export const tryAt = (question: string, step: Step): string => `${question}.${step}`

/** An error that a later try at the same question has made good is history. */
export const questionOf = (id: string): string => id.replace(steps, '')

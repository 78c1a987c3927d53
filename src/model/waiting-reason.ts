/** The text for a person that something waits for an answer. Events name the question in a field as well. */
export const waitsFor = (question: string): string => `waiting for an answer to ${question}`

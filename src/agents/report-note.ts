/** The sentence about the tool that takes the answer, added to a prompt that only mentions the file. */

export const reportNote = (tool: string): string =>
  `If you have the tool \`${tool}\`, answer by calling it with that object instead of writing the file.`

/** Adds each note on its own line. */
export const withNotes = (prompt: string, notes: readonly string[]): string =>
  notes.length === 0 ? prompt : `${prompt.trimEnd()}\n\n${notes.join('\n')}\n`

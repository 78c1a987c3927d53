/** What is said about the tool that takes the answer, behind a prompt that knows only of the file. */

export const reportNote = (tool: string): string =>
  `If you have the tool \`${tool}\`, answer by calling it with that object instead of writing the file.`

/** Each on a line of its own. */
export const withNotes = (prompt: string, notes: readonly string[]): string =>
  notes.length === 0 ? prompt : `${prompt.trimEnd()}\n\n${notes.join('\n')}\n`

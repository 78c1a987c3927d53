/** Writes a text as one word of a shell command. */

const plain = /^[\w@%+=:,./-]+$/

export const shellWord = (text: string): string => (plain.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)

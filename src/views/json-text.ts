/**
 * JSON for programs that is harmless on a terminal too: what a terminal would obey is escaped, which means the same to
 * a parser.
 */

/** JSON.stringify itself escapes what is below a space. */
const obeyed = /[\u007F-\u009F\u2028\u2029\p{Cf}]/gu

/** What is undefined is null. */
export const jsonText = (value: unknown, indent?: number): string =>
  JSON.stringify(value ?? null, null, indent).replace(obeyed, escaped)

/** By code units, as JSON wants it. */
const escaped = (character: string): string =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')

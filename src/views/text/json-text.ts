/** JSON that is also safe on a terminal: control characters are escaped, which means the same to a parser. */

/** JSON.stringify itself escapes the characters below a space. */
const obeyed = /[\u007F-\u009F\u2028\u2029\p{Cf}]/gu

/** Undefined becomes null. */
export const jsonText = (value: unknown, indent?: number): string =>
  JSON.stringify(value ?? null, null, indent).replace(obeyed, escaped)

/** Escapes per code unit, as JSON requires. */
const escaped = (character: string): string =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')

/** Classifies characters by code, with a table, because it runs for each character of a file. */

const space = 1
const letter = 2
const digit = 3

const kinds = new Uint8Array(128)
for (const char of ' \t\r\n\f\v') kinds[char.charCodeAt(0)] = space
for (const char of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$') kinds[char.charCodeAt(0)] = letter
for (const char of '0123456789') kinds[char.charCodeAt(0)] = digit

export const isSpace = (code: number): boolean =>
  code < 128 ? kinds[code] === space : code === 0xa0 || code === 0xfeff || code === 0x2028 || code === 0x2029

/** Every non-ASCII character that is not white space may be part of a name. */
export const beginsWord = (code: number): boolean => (code < 128 ? kinds[code] === letter : !isSpace(code))

export const isDigit = (code: number): boolean => code < 128 && kinds[code] === digit

export function wordEnd(text: string, from: number): number {
  let at = from + 1
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (!beginsWord(code) && !isDigit(code)) break
  }
  return at
}

export function numberEnd(text: string, from: number): number {
  let at = from + 1
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code !== 0x2e && !isDigit(code) && !beginsWord(code)) break
  }
  return at
}

/**
 * Makes agents' text safe: it is untrusted, so all of it passes through here before a terminal or another prompt gets
 * it.
 */
import { cut } from './columns.ts'

const esc = '\u001B'
const bel = '\u0007'
const stringEnd = '\u009C'
const sequence = `(?:${esc}\\[|\u009B)[0-?]*[ -/]*[@-~]?`
const string =
  `(?:${esc}[\\]PX^_]|[\u0090\u0098\u009D-\u009F])`
  + `[^${bel}${esc}${stringEnd}\\n]*(?:${bel}|${esc}\\\\|${stringEnd})?`
const escapes = new RegExp(`${sequence}|${string}|${esc}[ -/]*[0-~]?`, 'g')

const lineEnds = /\r\n|[\r\u2028\u2029\u0085]/g
const loneSurrogates = /\p{Surrogate}/gu
const controls = /(?![\n\t])\p{Cc}/gu
/**
 * Bidi controls, zero-width characters, tags, annotations and the spare variation selectors: invisible to people, but
 * interpreted by programs.
 */
const invisible = /[\p{Cf}\p{Variation_Selector}\u{115F}\u{1160}\u{3164}\u{FFA0}]|\u034F|\u17B4|\u17B5/gu
const stackedMarks = /(\p{M}{4})\p{M}+/gu

/** Fast path: most lines contain only these characters and need no cleaning. */
const harmless = /^[\t\n -~]*$/

/** Keeps line breaks; nothing in the result can move a cursor, hide or reorder text. */
export const plainBlock = (text: string): string =>
  harmless.test(text)
    ? text
    : text
        .replace(lineEnds, '\n')
        .split('\n')
        .map((line) => (harmless.test(line) ? line : cleaned(line)))
        .join('\n')

/** Works line by line, because no match spans lines. */
const cleaned = (line: string): string =>
  line
    .replace(loneSurrogates, '\uFFFD')
    .replace(escapes, '')
    .replace(controls, '')
    .replace(invisible, '')
    .replace(stackedMarks, '$1')

/** Fast path: printable ASCII words with single spaces, as in most titles. */
const tidy = /^(?:[!-~]+ )*[!-~]*$/

/** One line, at most `max` columns wide. */
export function plain(text: string, max?: number): string {
  if ((max === undefined || text.length <= max) && tidy.test(text) && !text.endsWith(' ')) return text
  const line = plainBlock(text).replace(/\s+/g, ' ').trim()
  return max === undefined ? line : cut(line, max)
}

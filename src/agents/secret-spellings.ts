/** The ways in which programs write a value down: as it is, in JSON, in an address, in base64, in hexadecimal. */
import { minSecretChars } from './secret-values.ts'
import { mostWindow } from './value-finder.ts'

export interface Spelling {
  text: string
  /** Tools break base64 into lines, so line breaks between its characters do not count. */
  wraps: boolean
}

export function spellingsOf(value: string): Spelling[] {
  const plain = new Set([value, ...inJson(value), ...percentEncoded(value), ...inMarkup(value), ...inHex(value)])
  const wrapped = new Set(inBase64(value))
  return [
    ...[...plain].map((text) => ({ text, wraps: false })),
    ...[...wrapped].map((text) => ({ text, wraps: true })),
  ].filter(({ text }) => text.length >= minSecretChars)
}

/** A stream of JSON often holds the text of another one. */
function inJson(value: string): string[] {
  const once = quoted(value)
  const ascii = once.replace(/[^\0-\x7f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return [once, quoted(once), ascii, once.replaceAll('/', '\\/')]
}

const quoted = (text: string): string => JSON.stringify(text).slice(1, -1)

/** Programs differ in which characters they encode, and in the case of the digits. */
function percentEncoded(value: string): string[] {
  const bytes = [...Buffer.from(value)]
  const encode = (isKept: RegExp): string =>
    bytes
      .map((byte) => {
        const char = String.fromCharCode(byte)
        return byte < 0x80 && isKept.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
      })
      .join('')
  const forms = [
    encode(/[\w.~-]/),
    encode(/[\w.~!'()*-]/),
    encode(/[\w.!~*'();/?:@&=+$,#-]/),
    encode(/[\w.~!$&'()*+,;=:-]/),
    encode(/^$/),
    encode(/[\w.*-]/).replaceAll('%20', '+'),
  ]
  return forms.flatMap((form) => [form, form.replace(/%../g, (code) => code.toLowerCase())])
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function inMarkup(value: string): string[] {
  const escaped = value.replace(/[&<>"']/g, (char) => entities[char] ?? char)
  return [escaped, escaped.replaceAll('&#39;', '&apos;'), escaped.replaceAll('&quot;', '"').replaceAll('&#39;', "'")]
}

function inHex(value: string): string[] {
  const hex = Buffer.from(value).toString('hex')
  return [hex, hex.toUpperCase()]
}

/** How many characters at the front also depend on the bytes before the value, by how many of those share its group. */
const foreignChars = [0, 2, 3]
/** Whole, and inside a longer text at each of three alignments, without the characters that depend on neighbours. */
function inBase64(value: string): string[] {
  const bytes = Buffer.from(value)
  const inside = foreignChars.flatMap((foreign, before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    const core = text.slice(foreign, Math.floor(((before + bytes.length) * 8) / 6))
    // A line may break inside of the first characters. Then the rest is found.
    return core.length >= 2 * mostWindow ? [core, core.slice(mostWindow)] : [core]
  })
  const whole = bytes.toString('base64')
  return [whole, ...inside].flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')])
}

/** The ways in which programs print a value: literally, in JSON, in a URL, in base64, in hexadecimal. */
import { minSecretChars } from './secret-values.ts'
import { mostWindow } from './value-finder.ts'

export interface Spelling {
  text: string
  /** Ignores line breaks between the characters, because tools wrap base64. */
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

/** JSON often contains other JSON as a string. */
function inJson(value: string): string[] {
  const once = quoted(value)
  const ascii = once.replace(/[^\0-\x7f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return [once, quoted(once), ascii, once.replaceAll('/', '\\/')]
}

const quoted = (text: string): string => JSON.stringify(text).slice(1, -1)

/** Programs differ in which characters they encode, and in the case of the hex digits. */
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

/** Number of leading base64 characters that also depend on preceding bytes, by how many such bytes share the group. */
const foreignChars = [0, 2, 3]
/**
 * The whole value, and the value inside a longer text at each of three alignments, without characters that depend on
 * neighboring bytes.
 */
function inBase64(value: string): string[] {
  const bytes = Buffer.from(value)
  const inside = foreignChars.flatMap((foreign, before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    const core = text.slice(foreign, Math.floor(((before + bytes.length) * 8) / 6))
    // A line may break within the first characters; the rest of the value is still found.
    return core.length >= 2 * mostWindow ? [core, core.slice(mostWindow)] : [core]
  })
  const whole = bytes.toString('base64')
  return [whole, ...inside].flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')])
}

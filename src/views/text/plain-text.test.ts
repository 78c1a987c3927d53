import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { columns } from './columns.ts'
import { plain, plainBlock } from './plain-text.ts'

const cases: [string, string, string][] = [
  ['color', '\u001B[31mred\u001B[0m', 'red'],
  ['cursor movement and clearing', 'a\u001B[2K\u001B[1;1Hb', 'ab'],
  ['an 8-bit control sequence', 'a\u009B31mb', 'ab'],
  ['a window title ended by BEL', 'a\u001B]0;owned\u0007b', 'ab'],
  ['a hyperlink ended by ST', '\u001B]8;;http://evil\u001B\\click\u001B]8;;\u001B\\', 'click'],
  ['a device control string', 'a\u001BPpayload\u001B\\b', 'ab'],
  ['a string that is never ended', 'a\u001B]0;rest of the line\nb', 'a b'],
  ['an escape hidden in an escape', '\u001B\u001B[31m[31mx', '[31mx'],
  ['carriage returns that overwrite', 'good\rbad', 'good bad'],
  ['backspaces and bells', 'a\b\u0007b', 'ab'],
  ['bidi overrides', 'user\u202Etxt.exe\u2066x\u2069', 'usertxt.exex'],
  ['zero-width characters', 'a\u200Bb\u200Dc\uFEFFd\u2060e', 'abcde'],
  ['tag characters', `a${String.fromCodePoint(0xe0041)}b`, 'ab'],
  ['newlines of every kind', 'a\r\nb\u2028c\u0085d\n\ne', 'a b c d e'],
  ['half a surrogate pair', 'a\uD83Db', 'a\uFFFDb'],
  ['stacked marks', `e${'\u0301'.repeat(50)}`, `e${'\u0301'.repeat(4)}`],
]

describe('plain', () => {
  test.each(cases)('strips %s', (_, hostile, shown) => expect(plain(hostile)).toBe(shown))

  test('returns one line without terminal controls for any input', () => {
    fc.assert(
      fc.property(hostileText(), fc.integer({ min: 1, max: 40 }), (text, max) => {
        const line = plain(text, max)
        expect(line).not.toMatch(/\p{Cc}|\p{Cf}|\p{Cs}|\u2028|\u2029/u)
        expect(columns(line)).toBeLessThanOrEqual(max)
      }),
    )
  })

  test('plain text is unchanged', () => {
    fc.assert(
      fc.property(hostileText(), (text) => {
        expect(plain(plain(text))).toBe(plain(text))
      }),
    )
  })

  test('a block keeps its lines and tabs', () => {
    expect(plainBlock('a\n\tb\u001B[1m\r\nc')).toBe('a\n\tb\nc')
    fc.assert(
      fc.property(hostileText(), (text) => {
        expect(plainBlock(text).replace(/[\n\t]/g, '')).not.toMatch(/\p{Cc}|\p{Cf}|\p{Cs}/u)
      }),
    )
  })
})

function hostileText(): fc.Arbitrary<string> {
  const bits = fc.constantFrom(
    '\u001B',
    '[',
    ']',
    '31m',
    '0;',
    '\u0007',
    '\\',
    '\u009B',
    '\u009D',
    '\n',
    '\r',
    '\u202E',
    '\u200B',
    '漢',
    '😀',
    '\uD83D',
    'x',
    ' ',
  )
  return fc.oneof(
    fc.array(bits, { maxLength: 30 }).map((parts) => parts.join('')),
    fc.string({ unit: 'binary', maxLength: 60 }),
  )
}

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLineSplitter } from './line-splitter.ts'

function split(chunks: readonly Buffer[], maxBytes = 1_000): { lines: string[]; skipped: number[] } {
  const lines: string[] = []
  const skipped: number[] = []
  const splitter = createLineSplitter(
    maxBytes,
    (line) => lines.push(line),
    (bytes) => skipped.push(bytes),
  )
  for (const chunk of chunks) splitter.push(chunk)
  splitter.end()
  return { lines, skipped }
}

const cut = (bytes: Buffer, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size))

test.each([1, 2, 3, 7, 1_000])('lines are whole in chunks of %d bytes, characters too', (size) => {
  expect(split(cut(Buffer.from('erste\n\nzwölf 😀\nlast'), size)).lines).toEqual(['erste', 'zwölf 😀', 'last'])
})

test('a line that is too long is skipped with its length, those around it stay', () => {
  expect(split(cut(Buffer.from(`a\n${'x'.repeat(5_000)}\nb\n`), 64), 100)).toEqual({
    lines: ['a', 'b'],
    skipped: [5_000],
  })
  expect(split([Buffer.from('x'.repeat(101))], 100)).toEqual({ lines: [], skipped: [101] })
})

test('bytes that are no UTF-8 become replacement characters', () => {
  expect(split([Buffer.from([0x61, 0xff, 0xc3, 0x28, 0x00, 0x0a])]).lines).toEqual(['a\uFFFD\uFFFD(\u0000'])
})

test('a chunk may be used again by its owner', () => {
  const lines: string[] = []
  const splitter = createLineSplitter(
    100,
    (line) => lines.push(line),
    () => {},
  )
  const chunk = Buffer.from('half')
  splitter.push(chunk)
  chunk.fill('z')
  splitter.push(Buffer.from(' whole\n'))
  expect(lines).toEqual(['half whole'])
})

test('property: however it is cut, the lines are the same', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.integer({ min: 1, max: 20 }), (texts, size) => {
      const text = texts.join('\n')
      expect(split(cut(Buffer.from(text), size), 1e6).lines).toEqual(
        Buffer.from(text)
          .toString()
          .split('\n')
          .filter((line) => line !== ''),
      )
    }),
  )
})

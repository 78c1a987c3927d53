import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mdCode, mdFence, mdLine } from './markdown.ts'

describe('text of agents stays text in a document', () => {
  test.each([
    ['# Heading', String.raw`\# Heading`],
    ['- item', String.raw`\- item`],
    ['1. item', String.raw`1\. item`],
    ['> quote', String.raw`\> quote`],
    ['<script>alert(1)</script>', '&lt;script>alert(1)&lt;/script>'],
    ['&lt;b>', '&amp;lt;b>'],
    ['a | b', String.raw`a \| b`],
    ['```\n# out', '\\`\\`\\` # out'],
    ['![x](http://evil)', String.raw`!\[x\](http://evil)`],
    ['**bold** _it_ snake_case', String.raw`\*\*bold\*\* \_it\_ snake_case`],
    ['back\\slash', String.raw`back\\slash`],
  ])('%j becomes %j', (text, safe) => expect(mdLine(text)).toBe(safe))

  test('a code span can contain backticks', () => {
    expect(mdCode('npm test')).toBe('`npm test`')
    expect(mdCode('a `b` ``c``')).toBe('``` a `b` ``c`` ```')
    expect(mdCode('')).toBe('` `')
  })

  test('only trailing line ends are dropped, also when there are very many', () => {
    const text = `a${'\n'.repeat(200_000)}b`
    expect(mdFence(`${text}\n\n`)).toBe(`\`\`\`text\n${text}\n\`\`\``)
    expect(mdFence('\n\n')).toBe('```text\n\n```')
  })

  test('no content closes its fence', () => {
    expect(mdFence('a`'.repeat(300_000)).endsWith('\n```')).toBe(true)
    fc.assert(
      fc.property(fc.array(fc.constantFrom('`', '```', '````', '\n', 'x', ' '), { maxLength: 40 }), (parts) => {
        const lines = mdFence(parts.join('')).split('\n')
        const fence = lines.at(-1) ?? ''
        expect(lines[0]).toBe(`${fence}text`)
        expect(lines.slice(1, -1).some((line) => line.includes(fence))).toBe(false)
      }),
    )
  })
})

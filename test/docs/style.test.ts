/** Documents and prompts have no line over 120 characters. */
import { readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { pageText } from '../kit/guide.ts'
import { widest, wrapMarkdown } from '../kit/wrap-markdown.ts'

const root = resolve(import.meta.dirname, '../..')

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder)).flatMap((name) => {
    const path = `${folder}/${name}`
    return statSync(join(root, path)).isDirectory() ? filesIn(path) : [path]
  })
}

const rootPages = ['README.md', 'GLOSSARY.md', 'AGENTS.md', 'CHANGELOG.md', 'ARCHITECTURE.md']
const benchPages = ['bench/NOTES.md', 'bench/guard/RESULTS.md']
const pages = [...rootPages, ...benchPages, ...['docs', 'prompts', 'stages', 'pipelines'].flatMap(filesIn)]

test.each(pages)('no line of %s is wider than 120 characters', (page) => {
  const wide = pageText(page)
    .split('\n')
    .flatMap((line, index) => (line.length > widest ? [`${page}:${index + 1}`] : []))
  expect(wide).toEqual([])
})

test.each([
  ['a paragraph', `${'word '.repeat(30)}end`, `${'word '.repeat(24).trim()}\n${'word '.repeat(6)}end`],
  ['a list item', `- ${'word '.repeat(24)}end`, `- ${'word '.repeat(23).trim()}\n  word end`],
  ['two items', '- one\n- two', '- one\n- two'],
  ['a code span', `${'word '.repeat(23)}\`npm run docs\`.`, `${'word '.repeat(23).trim()}\n\`npm run docs\`.`],
  ['a dash', `${'word '.repeat(24)}- end`, `${'word '.repeat(24).trim()} -\nend`],
  ['a code block', `\`\`\`\n${'word '.repeat(30)}\n\`\`\``, `\`\`\`\n${'word '.repeat(30)}\n\`\`\``],
  ['a table', `| ${'word '.repeat(30)}|`, `| ${'word '.repeat(30)}|`],
])('%s is wrapped as markdown needs it', (_what, text, wrapped) => {
  expect(wrapMarkdown(text)).toBe(wrapped)
  expect(wrapMarkdown(wrapped)).toBe(wrapped)
})

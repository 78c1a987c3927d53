/** Command lines that a guide shows must be ones that Looper takes. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { describeCommands } from '../../src/surfaces/cli/completion/describe.ts'

const root = resolve(import.meta.dirname, '../..')

/** Without what follows a comment, a pipe or an arrow. */
function linesOf(page: string): string[] {
  const blocks = readFileSync(join(root, page), 'utf8').split('```').filter((_, index) => index % 2 === 1)
  return blocks.flatMap((text) => text.split('\n')).flatMap((line) => /(?:^|[(;&] *)looper ([^#|>)&]+)/.exec(line)?.[1]?.trim() ?? [])
}

test.each(['docs/guides/looking.md', 'README.md', 'docs/guides/record-and-replay.md'])('every command and flag in %s exists', async (page) => {
  const table = await describeCommands()
  const lines = linesOf(page)
  expect(lines.length).toBeGreaterThan(0)
  for (const line of lines) {
    const words = line.replaceAll(/"[^"]*"/g, 'x').split(/\s+/)
    const row = table.find(({ name }) => name === words.slice(0, 2).join(' ')) ?? table.find(({ name }) => name === words[0])
    expect({ line, found: row !== undefined }).toEqual({ line, found: true })
    const flags = words.filter((word) => word.startsWith('-')).map((word) => word.replace(/=.*/, ''))
    expect({ line, unknown: flags.filter((flag) => !row?.options.some(({ names }) => names.includes(flag))) }).toEqual({ line, unknown: [] })
  }
})

/** Command lines that a guide shows must be ones that Looper takes. */
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { describeCommands } from '../../src/surfaces/cli/completion/describe.ts'
import { readArguments } from '../../src/surfaces/cli/read-arguments.ts'
import { commandLines, pageText } from '../kit/guide.ts'
import { memoryApp, memoryLooper } from '../kit/memory-app.ts'
import { completedRun } from '../kit/runs.ts'

const root = resolve(import.meta.dirname, '../..')
const guides = readdirSync(join(root, 'docs/guides')).map((name) => `docs/guides/${name}`)
const table = await describeCommands(memoryLooper(() => memoryApp(completedRun())))

/** Wherever it stands. */
const everywhere = ['--version']

interface Reading {
  line: string
  command: string | null
  unknown: string[]
  tooMany: string[]
}

/** What is wrong with a line, in the words of the commands' own table. */
function reading(line: string): Reading {
  const words = line.replaceAll(/"[^"]*"|'[^']*'|<[^>]*>/g, 'x').split(/\s+/)
  const row =
    table.find(({ name }) => name === words.slice(0, 2).join(' ')) ?? table.find(({ name }) => name === words[0])
  if (row === undefined) return { line, command: null, unknown: [], tooMany: [] }
  const read = readArguments(row.options, words.slice(row.name.split(' ').length))
  const most = row.arguments.some(({ repeats }) => repeats === true) ? Infinity : row.arguments.length
  const unknown = read.unknown.filter((word) => !everywhere.includes(word))
  return { line, command: row.name, unknown, tooMany: read.words.slice(most) }
}

const isSound = ({ command, unknown, tooMany }: Reading): boolean =>
  command !== null && unknown.length + tooMany.length === 0

/** What a page says is not there yet: the beginning of each point, before it says what to do instead. */
const missing = /^## Not there yet\n[^]*?(?=^## |$(?![^]))/m
const missingIn = (page: string): string[] =>
  [...(missing.exec(pageText(page))?.[0] ?? '').matchAll(/^- ([^:;.]*)/gm)].map(([, what = '']) => what)
const thereIn = (page: string): string[] =>
  commandLines(missingIn(page).reduce((text, what) => text.replace(what, ''), pageText(page)))
const withCommands = ['README.md', ...guides].filter((page) => thereIn(page).length > 0)

test.each(withCommands)('every command and flag in %s exists', (page) => {
  expect(
    thereIn(page)
      .map(reading)
      .filter((line) => !isSound(line)),
  ).toEqual([])
})

test('guides that have commands are found', () => {
  expect(withCommands).toEqual(expect.arrayContaining(['README.md', 'docs/guides/backlog.md', 'docs/guides/logs.md']))
})

test('a feature that a guide calls missing does not exist', () => {
  const lines = guides.flatMap((page) => missingIn(page).flatMap(commandLines))
  expect(lines.map(reading).filter(isSound)).toEqual([])
})

test.each([
  ['nonsense', { command: null }],
  ['ls --nonsense', { unknown: ['--nonsense'] }],
  ['status 1 2', { tooMany: ['2'] }],
  ['stats 1 2 3', { tooMany: [] }],
  ['run --cost-usd 5 "two words" -C x', { unknown: [], tooMany: [] }],
  ['config set a b', { command: 'config set', tooMany: [] }],
])('%s is read as it is meant', (line, expected) => {
  expect(reading(line)).toMatchObject(expected)
})

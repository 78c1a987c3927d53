/** docs/security.md: each promise has a strength with and without the sandbox, and tests that exist. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { checkers } from '../../src/simulation/checkers/index.ts'
import { pageText } from '../kit/guide.ts'

const root = resolve(import.meta.dirname, '../..')
const page = pageText('docs/security.md')
const sections = page.slice(0, page.indexOf('\n## What is not promised')).split('\n## ').slice(1)
const rowsOf = (section: string): string[][] =>
  [...section.matchAll(/^\| ([A-Z]\d+) .*\|$/gm)].map(([row]) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
const notesOf = (section: string): string => section.slice(section.indexOf('\n\n1. '))
const references = (text: string): string[] =>
  [...text.matchAll(/ \[(\d+)\]|^\[(\d+)\]/gm)].map(([, a, b]) => a ?? b ?? '')
const unique = (texts: readonly string[]): string[] => [...new Set(texts)].toSorted()

test('docs/security.md has a table with notes in each of its four sections', () => {
  expect(sections.map((section) => rowsOf(section).length > 0)).toEqual([true, true, true, true])
  const ids = sections.flatMap((section) => rowsOf(section).map(([id]) => id))
  expect(new Set(ids).size).toBe(ids.length)
})

test.each(sections.flatMap(rowsOf))(
  'promise %s: %s has strengths and a test',
  (_id, promise, off, os, tests, ...rest) => {
    expect(rest).toEqual([])
    expect(promise).not.toBe('')
    for (const strength of [off, os]) expect(strength).toMatch(/^(?:intent|accident|no|– \[\d+\])(?: \[\d+\])?$/)
    expect(tests).toMatch(/^(?:`[\w-]+`(?: \[\d+\])?|\[\d+\])$/)
  },
)

test('every note of docs/security.md is referred to, and every reference has a note', () => {
  for (const section of sections) {
    const referred = rowsOf(section).flatMap((cells) => cells.flatMap(references))
    const notes = [...notesOf(section).matchAll(/^(\d+)\. /gm)].map(([, number = '']) => number)
    expect(unique(referred)).toEqual(unique(notes))
  }
})

test('a promise whose column has no test has one in its note', () => {
  for (const section of sections)
    for (const [id, , , , tests = ''] of rowsOf(section)) {
      const [number] = references(tests)
      if (number === undefined) continue
      const note = notesOf(section)
        .split(/\n(?=\d+\. )/)
        .find((text) => text.trim().startsWith(`${number}. `))
      expect(note, id).toMatch(/Tests?:\s+(?:also\s+)?(?:`(?:src|test)\/[\w./-]+\.test\.ts`|law\s+`)/)
    }
})

test('every test file that the column names exists', () => {
  const named = sections
    .flatMap(rowsOf)
    .flatMap(([, , , , tests = '']) => [...tests.matchAll(/`([\w-]+)`/g)])
    .map(([, name]) => `test/hostile/${name}.test.ts`)
  expect(named.length).toBeGreaterThan(15)
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

test('every law that docs/security.md names is checked', () => {
  const laws = checkers.map(({ law }) => law)
  const named = [...page.matchAll(/\blaw\s+`([\w-]+)`/g)].map(([, law = '']) => law)
  expect(named.length).toBeGreaterThan(4)
  expect(named.filter((law) => !laws.includes(law))).toEqual([])
})

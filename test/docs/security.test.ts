/** docs/security.md: each promise has a strength with and without the sandbox, and tests that exist. */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { checkers } from '../../src/simulation/checkers/index.ts'
import { pageText } from '../kit/guide.ts'

const root = resolve(import.meta.dirname, '../..')
const page = pageText('docs/security.md')
const [promised = '', testTable = ''] = ['\n## What is not promised', '\n## Tests\n'].map((title, index, titles) =>
  index === 0 ? page.slice(0, page.indexOf(title)) : page.slice(page.indexOf(titles[1] ?? '')),
)
const sections = promised.split('\n## ').slice(1)
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
const ids = sections.flatMap((section) => rowsOf(section).map(([id = '']) => id))

test('docs/security.md has a table with notes in each of its four sections', () => {
  expect(sections.map((section) => rowsOf(section).length > 0)).toEqual([true, true, true, true])
  expect(new Set(ids).size).toBe(ids.length)
})

test.each(sections.flatMap(rowsOf))('promise %s: %s has strengths', (_id, promise, off, os, ...rest) => {
  expect(rest).toEqual([])
  expect(promise).not.toBe('')
  for (const strength of [off, os]) expect(strength).toMatch(/^(?:intent|accident|no|– \[\d+\])(?: \[\d+\])?$/)
})

test('every note of docs/security.md is referred to, and every reference has a note', () => {
  for (const section of sections) {
    const referred = rowsOf(section).flatMap((cells) => cells.flatMap(references))
    const notes = [...notesOf(section).matchAll(/^(\d+)\. /gm)].map(([, number = '']) => number)
    expect(unique(referred)).toEqual(unique(notes))
  }
})

test('every promise has a test, and every test a promise', () => {
  expect(unique(rowsOf(testTable).map(([id = '']) => id))).toEqual(ids.toSorted())
})

const laws = checkers.map(({ law }) => law)
const textOf = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '')

test.each(rowsOf(testTable))('promise %s: %s has the test "%s"', (_id, file = '', name = '', ...rest) => {
  expect(rest).toEqual([])
  if (file === 'law') return expect(laws.map((law) => `\`${law}\``)).toContain(name)
  const path = /^`(.+)`$/.exec(file)?.[1] ?? ''
  const text = textOf(join(root, path.includes('/') ? path : `test/hostile/${path}.test.ts`))
  expect(text.split('\n').some((line) => /['"`]/.test(line) && line.includes(name))).toBe(true)
})

/** The list of capabilities names code and tests that exist, and tests that name the capability. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { pageText } from '../kit/guide.ts'

const root = resolve(import.meta.dirname, '../..')

interface Row {
  id: string
  code: string[]
  tests: string[]
}

const pathsIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path)
const rows = pageText('docs/parity.md')
  .split(/^(?=- \*\*[A-Z]\d+)/m)
  .slice(1)
  .map((item): Row => {
    const [, id = '', code = '', tests = ''] =
      /^- \*\*(\w+)\*\* [^]*?^ {2}- code: ([^]*?)^ {2}- test: ([^]*)/m.exec(item) ?? []
    return { id, code: pathsIn(code), tests: pathsIn(tests) }
  })

/** `a/{b,c}.ts` is two files; of `a/*`, that `a` exists is enough. */
function expanded(path: string): string[] {
  const [, before = '', choices = '', after = ''] = /^(.*)\{(.*)\}(.*)$/.exec(path) ?? []
  return choices === '' ? [path.replace(/\*.*/, '')] : choices.split(',').map((choice) => `${before}${choice}${after}`)
}
const isThere = (path: string): boolean => existsSync(join(root, 'src', path)) || existsSync(join(root, path))
const isFile = (path: string): boolean => existsSync(join(root, path)) && statSync(join(root, path)).isFile()

test.each(rows)('$id: its code and its tests exist', ({ code, tests }) => {
  expect(code.length * tests.length).toBeGreaterThan(0)
  expect(code.flatMap(expanded).filter((path) => !isThere(path))).toEqual([])
  expect(tests.filter((path) => !isThere(path) && !path.startsWith('npm run '))).toEqual([])
})

/** The simulation proves nothing but other capabilities. */
test.each(rows.filter(({ id }) => id !== 'F18'))('$id: a test of it names it', ({ id, tests }) => {
  // A row such as F13b is about a part of F13.
  const names = (path: string): boolean =>
    new RegExp(`['\`"(].*\\b${id.replace(/[a-z]$/, '')}\\b`).test(readFileSync(join(root, path), 'utf8'))
  expect(tests.filter(isFile).some(names)).toBe(true)
})

test('every capability has one item', () => {
  const ids = rows.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const numbered = (letter: string, most: number): string[] =>
    Array.from({ length: most }, (_, n) => `${letter}${n + 1}`)
  expect(ids).toEqual(
    expect.arrayContaining([
      ...numbered('A', 10),
      'B13',
      ...numbered('C', 9),
      ...numbered('D', 10),
      'E6',
      'E7',
      'E8',
      'F1',
      'F12',
      'F13',
      'F14',
      'F15',
      'F16',
      'F17',
      'F19',
    ]),
  )
})

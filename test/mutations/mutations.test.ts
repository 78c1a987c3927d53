/** Planted bugs keep up with the source: each can still be planted, and built, and every law has one. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { expect, test } from 'vitest'
import { checkers } from '../../src/simulation/checkers/index.ts'
import { mutations } from './mutations.js'

const src = resolve(import.meta.dirname, '../../src')

test.each(mutations.map(({ law, bug, file, from, to }) => [`${law}: ${bug}`, file, from, to] as const))('%s', (_name, file, from, to) => {
  const source = readFileSync(join(src, file), 'utf8')
  expect(source.split(from)).toHaveLength(2)
  expect(to).not.toBe(from)
  expect(() => parseAst(source.replace(from, () => to), { lang: 'ts' })).not.toThrow()
})

test('every law has a planted bug, and every planted bug a law', () => {
  expect(new Set(mutations.map(({ law }) => law))).toEqual(new Set(checkers.map(({ law }) => law)))
})

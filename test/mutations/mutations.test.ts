/** Planted bugs keep up with the source: each can still be planted, and built, and every law has one. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { expect, test } from 'vitest'
import { checkers } from '../../src/simulation/checkers/index.ts'
import { mutations, plant } from './mutations.js'
import { mergeResults, rowOf, seedOf } from './results.js'

const src = resolve(import.meta.dirname, '../../src')

test.each(mutations.map((mutation) => [`${mutation.law}: ${mutation.bug}`, mutation] as const))(
  '%s',
  (_name, mutation) => {
    const source = readFileSync(join(src, mutation.file), 'utf8')
    const planted = plant(source, mutation)
    expect(planted).not.toBe(source)
    expect(() => parseAst(planted, { lang: 'ts' })).not.toThrow()
  },
)

test('every law has a planted bug, and every planted bug a law', () => {
  expect(new Set(mutations.map(({ law }) => law))).toEqual(new Set(checkers.map(({ law }) => law)))
})

test('RESULTS.md says of each planted bug by which world it was found', () => {
  const results = readFileSync(join(import.meta.dirname, 'RESULTS.md'), 'utf8')
  expect(mergeResults(results, [], mutations)).toBe(results)
  const found = results.split('\n').filter((row) => / seed \d+ \| /.test(row))
  expect(found).toHaveLength(mutations.length)
})

test('what was run replaces its row, and bugs that are no longer planted lose theirs', () => {
  const [one, two, three] = mutations.map((mutation) => ({ ...mutation }))
  if (!one || !two || !three) throw new Error('there are planted bugs')
  const before = mergeResults(
    '',
    [rowOf(one, 'seed 1', 'a'), rowOf(two, 'seed 2', 'b'), rowOf(three, 'seed 3', 'c')],
    [one, two, three],
  )
  const after = mergeResults(before, [rowOf(two, 'SURVIVED 4000 worlds', 'a|b\nc')], [one, two])
  expect(after).toContain(rowOf(one, 'seed 1', 'a'))
  expect(after).toContain('SURVIVED 4000 worlds | a\\|b c |')
  expect(after).not.toMatch(/seed [23]/)
})

test('the world that found a bug is read from its row', () => {
  const [one, two, three] = mutations
  if (!one || !two || !three) throw new Error('there are planted bugs')
  const text = mergeResults('', [rowOf(one, 'seed 3699', 'a'), rowOf(two, 'SURVIVED 4000 worlds', '')], [one, two])
  expect([one, two, three].map((mutation) => seedOf(text, mutation))).toEqual([3699, null, null])
})

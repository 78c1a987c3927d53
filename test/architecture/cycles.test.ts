/** No two files of the product import each other, directly or through others: every file can be read bottom up. */
import { relative } from 'node:path'
import { expect, test } from 'vitest'
import { files, importedFiles, source } from './sources.ts'
import { cyclesIn } from './strong-components.ts'

test('files do not import each other in a circle', () => {
  const graph = new Map(files.map((file) => [file, importedFiles(file)]))
  expect(cyclesIn(graph).map((cycle) => cycle.map((file) => relative(source, file)))).toEqual([])
})

test.each([
  { name: 'a chain', edges: { a: ['b'], b: ['c'], c: [] }, cycles: [] },
  { name: 'a diamond', edges: { a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }, cycles: [] },
  { name: 'two nodes', edges: { a: ['b'], b: ['a'] }, cycles: [['a', 'b']] },
  { name: 'a node that points to itself', edges: { a: ['a'], b: [] }, cycles: [['a']] },
  { name: 'a circle with a tail', edges: { a: ['b'], b: ['c'], c: ['d', 'b'], d: [] }, cycles: [['b', 'c']] },
  {
    name: 'two circles with a bridge',
    edges: { a: ['b'], b: ['a', 'c'], c: ['d'], d: ['c'], e: ['x'] },
    cycles: [
      ['c', 'd'],
      ['a', 'b'],
    ],
  },
])('cycles are found in $name', ({ edges, cycles }) => {
  expect(cyclesIn(new Map(Object.entries(edges)))).toEqual(cycles)
})

/** Merges of the virtual repository follow git's rules for whole files. */
import { expect, test } from 'vitest'
import { createVirtualGit, merge, unresolved, type Files } from './virtual-git.ts'

test.each<[string, Files, Files, Files, Files, string[]]>([
  ['both sides add', {}, { a: '1' }, { b: '2' }, { a: '1', b: '2' }, []],
  ['one side changes', { a: '0' }, { a: '0' }, { a: '1' }, { a: '1' }, []],
  ['both change alike', { a: '0' }, { a: '1' }, { a: '1' }, { a: '1' }, []],
  ['one side removes', { a: '0' }, { a: '0' }, {}, {}, []],
  ['both change otherwise', { a: '0' }, { a: '1' }, { a: '2' }, { a: '1' }, ['a']],
  ['one changes what the other removes', { a: '0' }, { a: '1' }, {}, { a: '1' }, ['a']],
])('%s', (_name, base, ours, theirs, files, conflicts) => {
  const merged = merge(base, ours, theirs)
  expect(merged).toMatchObject({ files, conflicts })
  expect(Object.keys(merged.marked)).toEqual(Object.keys(files))
  const open = (result: Files) => unresolved(ours, theirs, merged.marked, result)
  expect(open(merged.marked)).toEqual(conflicts.map((file) => ({ file, why: 'markers' })))
  for (const side of [ours, theirs]) expect(open(side)).toEqual(conflicts.map((file) => ({ file, why: 'one-side' })))
  expect(open({ ...merged.files, ...Object.fromEntries(conflicts.map((path) => [path, 'both'])) })).toEqual([])
})

test('a file that landed as deleted may stay deleted', () => {
  const { marked } = merge({ a: '0' }, {}, { a: '1' })
  expect(unresolved({}, { a: '1' }, marked, {})).toEqual([])
  expect(unresolved({}, { a: '1' }, marked, { a: '1' })).toEqual([{ file: 'a', why: 'one-side' }])
})

test('equal files have equal trees, and the branch moves only from where it is', () => {
  const git = createVirtualGit({ a: '1', b: '2' })
  expect(git.store({ b: '2', a: '1' })).toBe(git.treeOf(git.base))
  const next = git.make({ tree: git.store({ a: '2' }), parent: git.base, landing: 'T1/a1/0', task: 'T1' })
  expect(git.move('elsewhere', next)).toBe(false)
  expect(git.move(git.base, next)).toBe(true)
  expect(git.log().map(({ task }) => task)).toEqual(['T1'])
})

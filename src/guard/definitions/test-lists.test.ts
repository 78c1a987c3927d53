import { expect, test } from 'vitest'
import { compareTestLists, listedFiles } from './test-lists.ts'

const file = (path: string, before: string, after = before) => ({ path, before, after })

test.each([
  [
    'a makefile',
    'make test',
    'checks/add.sh',
    [
      file('Makefile', 'test:\n\t@for t in $$(cat suites.txt); do sh $$t || exit 1; done\n'),
      file('suites.txt', 'checks/add.sh\nchecks/zero.sh\n', 'checks/zero.sh\n'),
    ],
  ],
  [
    'a program',
    'node run.mjs',
    'cases-of/add.mjs',
    [
      file('run.mjs', "for (const n of list('suite.json')) await import('./cases-of/' + n + '.mjs')\n"),
      file('suite.json', '["add", "zero"]\n', '["zero"]\n'),
    ],
  ],
])('a test that is taken out of the list of %s is named', (_what, check, path, files) => {
  expect(listedFiles(files, [check])).toContain(path)
  expect(compareTestLists([...files, file(path, '')], [check])).toMatchObject([{ kind: 'test-deleted', test: path }])
  expect(compareTestLists(files, [check])).toEqual([])
  expect(compareTestLists([...files, file(path, '')], ['node other.mjs'])).toEqual([])
})

import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeRepository, makeWorktrees, temporaryFolder } from '../../../test/kit/repository.ts'
import { dropPipes } from './pipes.ts'

const pipe = (path: string): void => void execFileSync('mkfifo', [path])

test('in a work tree only pipes that git opens are removed, in a git directory all', async () => {
  const folder = temporaryFolder()
  for (const name of ['.gitignore', 'other', 'line\nfeed']) pipe(join(folder, name))
  writeFileSync(join(folder, '.gitattributes'), '')
  await dropPipes({ folder, isGitDir: false })
  expect(['.gitignore', 'other', '.gitattributes'].map((name) => existsSync(join(folder, name)))).toEqual([
    false,
    true,
    true,
  ])
  await dropPipes({ folder, isGitDir: true })
  expect(['other', 'line\nfeed'].map((name) => existsSync(join(folder, name)))).toEqual([false, false])
})

test('a pipe in the place of .gitignore keeps no inspection waiting', async () => {
  const worktrees = await makeWorktrees(makeRepository())
  const { base } = await worktrees.prepare({ kind: 'prepare', id: 'T001/a1/prepare', workspace: 'T001' })
  const path = worktrees.path('T001')
  pipe(join(path, '.gitignore'))
  pipe(join(path, '.gitattributes'))
  writeFileSync(join(path, 'made.txt'), 'x')
  const found = await worktrees.inspect({
    kind: 'inspect',
    id: 'T001/a1/inspect0',
    workspace: 'T001',
    base,
    restore: null,
  })
  expect(found.files).toEqual(['made.txt'])
})

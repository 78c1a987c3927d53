import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeRepository, makeWorktrees, openRepository } from '../../../test/kit/repository.ts'
import { prepare } from '../../../test/kit/steps.ts'

async function workspace(files: Record<string, string>, setup: string[] = []) {
  const worktrees = await makeWorktrees(makeRepository(files), { setup })
  const { base } = await prepare(worktrees, 'T001')
  const look = async () =>
    (
      await worktrees.inspect({
        kind: 'inspect',
        id: 'T001/a1/inspect0',
        workspace: 'T001',
        base,
        restore: null,
        outside: true,
      })
    ).outside
  return { look, tree: openRepository(worktrees.path('T001')) }
}

test('files that are ignored are named with the rule that does it', async () => {
  const { look, tree } = await workspace({
    '.gitignore': '# comment\nlib/\n',
    'src/.gitignore': '*.gen\n',
    'a.txt': 'a\n',
  })
  expect(await look()).toEqual([])
  for (const path of ['lib/mul.mjs', 'lib/deep/er.mjs', 'src/x.gen', 'landing.txt']) tree.write(path, 'x')
  expect(await look()).toEqual([
    { kind: 'ignored', path: 'lib/deep/er.mjs', by: '.gitignore:2' },
    { kind: 'ignored', path: 'lib/mul.mjs', by: '.gitignore:2' },
    { kind: 'ignored', path: 'src/x.gen', by: 'src/.gitignore:1' },
  ])
})

test('files that the agent ignores in its own clone land, and so do files added by force', async () => {
  const { look, tree } = await workspace({ '.gitignore': 'lib/\n' })
  tree.write('.git/info/exclude', 'mine\n')
  tree.write('mine', 'x')
  tree.write('lib/meant.js', 'x')
  tree.git('add', '--force', 'lib/meant.js')
  expect(await look()).toEqual([])
})

test('empty folders are named, also when others are in them', async () => {
  const { look, tree } = await workspace({ '.gitignore': 'tmp/\n', 'src/a.txt': 'a\n' })
  for (const folder of ['tmp', 'src/empty', 'deep/er/est']) mkdirSync(join(tree.root, folder), { recursive: true })
  expect(await look()).toEqual(['deep/', 'src/empty/', 'tmp/'].map((path) => ({ kind: 'empty-folder', path })))
})

test("files of set-up are not the agent's, files put beside them are", async () => {
  const setup = ['mkdir -p node_modules/pkg cache && echo x > node_modules/pkg/index.js && echo y > made.txt']
  const { look, tree } = await workspace({ '.gitignore': 'node_modules/\n' }, setup)
  expect(await look()).toEqual([])
  tree.write('node_modules/other/index.js', 'x')
  expect(await look()).toEqual([{ kind: 'ignored', path: 'node_modules/other/index.js', by: '.gitignore:1' }])
})

test('at most 50 are named, and caches come last', async () => {
  const { look, tree } = await workspace({ '.gitignore': 'node_modules/\n__pycache__/\nout/\n' })
  for (let n = 0; n < 60; n++) tree.write(`node_modules/p/${n}.js`, 'x')
  tree.write('a/__pycache__/x.pyc', 'x')
  tree.write('out/needed.js', 'x')
  mkdirSync(join(tree.root, 'empty'))
  const found = (await look()) ?? []
  expect(found).toHaveLength(50)
  expect(found[0]).toEqual({ kind: 'ignored', path: 'out/needed.js', by: '.gitignore:3' })
  expect(found.at(-1)).toEqual({ kind: 'empty-folder', path: 'empty/' })
})

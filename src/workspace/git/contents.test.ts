import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeRepository } from '../../../test/kit/repository.ts'
import { inspect, ready } from '../../../test/kit/steps.ts'

test('the text of both sides of what changed, but for what is no text', async () => {
  const repository = makeRepository({
    'a.txt': 'old\n',
    'gone.txt': 'gone',
    'same.txt': 's\n',
    binary: '\0a',
    'was-text.txt': 'text\n',
    'long.txt': 'l',
  })
  const { worktrees, base, at } = await ready(repository, 'T001')
  const { root, write } = at('T001')
  write('a.txt', 'näw\nno line feed at the end')
  write('new "1"\n.txt', '')
  write('binary', '\0b')
  write('was-text.txt', '\0text')
  write('long.txt', 'l'.repeat(101))
  rmSync(join(root, 'gone.txt'))
  symlinkSync('a.txt', join(root, 'link'))
  const { tree } = await inspect(worktrees, 'T001', base)
  expect(await worktrees.contents(base, tree, 100)).toEqual([
    { path: 'a.txt', before: 'old\n', after: 'näw\nno line feed at the end' },
    { path: 'gone.txt', before: 'gone', after: null },
    { path: 'link', before: null, after: 'a.txt' },
    { path: 'long.txt', before: 'l', after: null },
    { path: 'new "1"\n.txt', before: null, after: '' },
    { path: 'was-text.txt', before: 'text\n', after: null },
  ])
  expect(await worktrees.contents(base, base, 100)).toEqual([])
  expect(await worktrees.contents(base, tree, 100, ['same.txt', 'a.txt', 'binary', 'none.txt', '*'])).toHaveLength(7)
  expect(await worktrees.contents(base, base, 100, ['same.txt'])).toEqual([
    { path: 'same.txt', before: 's\n', after: 's\n' },
  ])
})

test('files of many megabytes are read whole, and with `binary` also what is no text', async () => {
  const repository = makeRepository({ 'a.txt': 'a' })
  const { worktrees, base, at } = await ready(repository, 'T001')
  for (const name of ['b', 'c', 'd']) at('T001').write(`${name}.txt`, name.repeat(5_000_000))
  at('T001').write('e', '\0e')
  const { tree } = await inspect(worktrees, 'T001', base)
  const read = await worktrees.contents(base, tree, 6_000_000, [], true)
  expect(read.map(({ path, after }) => [path, after?.length])).toEqual([
    ['b.txt', 5_000_000],
    ['c.txt', 5_000_000],
    ['d.txt', 5_000_000],
    ['e', 2],
  ])
})

test('contents of files are compared by hash, now and before', async () => {
  const repository = makeRepository({ 'a.txt': 'a\n', 'gone.txt': 'g\n' })
  const { worktrees, base, at } = await ready(repository, 'T001')
  at('T001').write('a.txt', 'b\n')
  at('T001').write('new.txt', 'a\n')
  rmSync(join(at('T001').root, 'gone.txt'))
  const { files, hashes, was } = await inspect(worktrees, 'T001', base)
  const before = repository.git('rev-parse', `${base}:a.txt`)
  expect(files).toEqual(['a.txt', 'gone.txt', 'new.txt'])
  expect(hashes).toEqual({ 'a.txt': expect.stringMatching(/^[0-9a-f]{40}$/), 'gone.txt': null, 'new.txt': before })
  expect(was).toEqual([before, repository.git('rev-parse', `${base}:gone.txt`), null])
})

test('an overlay is the base with some files of another tree, and goes away again', async () => {
  const repository = makeRepository({
    '.gitignore': 'deps/\n',
    'code.txt': 'old\n',
    'test/old.txt': 't\n',
    moved: 'a file\n',
  })
  const { worktrees, base, at } = await ready(repository, 'T001')
  const { root, write, read } = at('T001')
  write('code.txt', 'new\n')
  write('more.txt', 'm\n')
  write('test/new "1".txt', 'n\n')
  write('deps/installed', 'i')
  rmSync(join(root, 'test/old.txt'))
  rmSync(join(root, 'moved'))
  write('moved/inside.txt', 'i\n')
  const { tree } = await inspect(worktrees, 'T001', base)
  write('litter.txt', 'of a check')
  const paths = ['test/new "1".txt', 'test/old.txt', 'moved/inside.txt', 'never/was.txt']
  const files = [{ path: 'both.json', content: '{ "merged": true }\n' }]
  const laid = await worktrees.overlay({ id: 'T001/a1/overlay', base, tree, paths, files })
  expect([read('code.txt'), read('litter.txt'), read('deps/installed')]).toEqual(['new\n', 'of a check', 'i'])
  expect(repository.git('ls-tree', '-r', '--name-only', '-z', laid).split('\0').filter(Boolean)).toEqual([
    '.gitignore',
    'both.json',
    'code.txt',
    'moved/inside.txt',
    'test/new "1".txt',
  ])
  expect(repository.git('show', `${laid}:code.txt`)).toBe('old')
  expect(repository.git('show', `${laid}:both.json`)).toBe('{ "merged": true }')
})

import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ensureLooperFolder } from './looper-folder.ts'
import { dropPrivileges, makeRepository, openRepository, temporaryFolder } from '../../test/kit/repository.ts'

test("a run never dirties the checkout, yet people's own files can be committed", async () => {
  const repository = makeRepository()
  expect(await ensureLooperFolder(repository.root)).toBe(join(repository.root, '.looper'))
  const scratch = ['runs/001/events.jsonl', 'worktrees/001/T001/x', 'state.json', 'runs/last', 'workflow']
  for (const path of scratch) repository.write(`.looper/${path}`, '')
  expect(repository.git('status', '--porcelain', '--untracked-files=all')).toBe('')
  const own = [
    'config.json',
    'config.schema.json',
    'learnings/deep/001-x.md',
    'prompts/coder.md',
    'stages/a/b.md',
    'workflows/mine.yaml',
  ]
  for (const path of own) repository.write(`.looper/${path}`, '')
  repository.git('add', '.')
  expect(repository.git('diff', '--cached', '--name-only')).toBe(own.map((path) => `.looper/${path}`).join('\n'))
})

test('is repeatable and leaves an edited ignore file alone', async () => {
  const repository = makeRepository()
  await ensureLooperFolder(repository.root)
  writeFileSync(join(repository.root, '.looper/.gitignore'), 'mine\n')
  await ensureLooperFolder(repository.root)
  expect(readFileSync(join(repository.root, '.looper/.gitignore'), 'utf8')).toBe('mine\n')
})

test('a folder that cannot be written is one clear error', async () => {
  dropPrivileges()
  const folder = openRepository(temporaryFolder())
  chmodSync(folder.root, 0o555)
  await expect(ensureLooperFolder(folder.root)).rejects.toMatchObject({ code: 'ENVIRONMENT_READ_ONLY', exitCode: 2 })
  expect(existsSync(join(folder.root, '.looper'))).toBe(false)
})

test('a file in the way is an error too', async () => {
  const folder = openRepository(temporaryFolder())
  folder.write('.looper', 'a file')
  await expect(ensureLooperFolder(folder.root)).rejects.toMatchObject({ code: 'ENVIRONMENT_IO' })
})

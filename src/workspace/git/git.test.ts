import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { git, tryGit } from './git.ts'
import { makeRepository } from '../../../test/kit/repository.ts'

test('answers without the last line feed', async () => {
  const { root } = makeRepository()
  expect(await git(['rev-parse', '--abbrev-ref', 'HEAD'], { cwd: root })).toBe('main')
})

test("a failure is one line of git's, without control characters", async () => {
  const { root } = makeRepository()
  await expect(git(['rev-parse', '--verify', 'no\u001b[31mthing'], { cwd: root })).rejects.toMatchObject({
    code: 'WORKSPACE_GIT',
    message: 'git rev-parse: fatal: Needed a single revision',
  })
  const rude = String.raw`alias.rude=!printf 'warning: x\n\033[31merror: r\033]0;title\007ed\n' >&2; exit 1`
  await expect(git(['-c', rude, 'rude'], { cwd: root })).rejects.toMatchObject({ message: 'git -c: error: red' })
})

test('waits for a lock that goes away', async () => {
  const { root } = makeRepository()
  const lock = join(root, '.git/refs/heads/new.lock')
  writeFileSync(lock, '')
  const update = git(['update-ref', 'refs/heads/new', 'HEAD'], { cwd: root })
  setTimeout(() => rmSync(lock), 50)
  await update
  expect(existsSync(lock)).toBe(false)
  expect(await git(['rev-parse', 'refs/heads/new'], { cwd: root })).toBe(
    await git(['rev-parse', 'HEAD'], { cwd: root }),
  )
})

test('gives up on a lock that stays, and says so', async () => {
  const { root } = makeRepository()
  writeFileSync(join(root, '.git/refs/heads/new.lock'), '')
  const result = await tryGit(['update-ref', 'refs/heads/new', 'HEAD'], { cwd: root })
  expect(result.exitCode).not.toBe(0)
  expect(result.stderr).toContain('File exists')
})

test('every process carries its mark', async () => {
  const { root } = makeRepository()
  const mark = 'key:T001/a1/merge0:1'
  expect(await git(['-c', 'alias.mark=!echo $LOOPER_MARK', 'mark'], { cwd: root, mark })).toBe(mark)
})

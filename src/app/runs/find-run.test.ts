import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findRunId } from './find-run.ts'
import { readRun, readRuns } from './read-run.ts'
import { runsOf } from './runs.ts'

test('E1: a run is found by number, id or words; what is ambiguous is asked', async () => {
  const root = mkdtempSync(join(tmpdir(), 'looper-find-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const goal of ['add user auth', 'fix payment bug', 'fix dark mode']) await runsOf(root).create(goal)
  expect(await findRunId(root, null)).toBe('003-fix-dark-mode')
  expect(await findRunId(root, '2')).toBe('002-fix-payment-bug')
  expect(await findRunId(root, 'auth')).toBe('001-add-user-auth')
  expect(await findRunId(root, 'dark mode')).toBe('003-fix-dark-mode')
  await expect(findRunId(root, 'fix')).rejects.toThrow('could be 002-fix-payment-bug, 003-fix-dark-mode')
  await expect(findRunId(root, '../../etc')).rejects.toThrow('There is no run')
})

test('a run whose folder was deleted is not called one that never was', async () => {
  const root = mkdtempSync(join(tmpdir(), 'looper-find-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@localhost', ...args], { cwd: root, encoding: 'utf8' })
  git('init', '-q')
  git('commit', '-q', '--allow-empty', '-m', 'start')
  await expect(findRunId(root, null)).rejects.toThrow('There is no run in this repository yet.')
  git('update-ref', 'refs/looper/001-make-two/tip', 'HEAD')
  const lost = {
    message: 'The folder of 001-make-two was deleted: .looper/runs/001-make-two (`git clean -x` does that).',
    hint: expect.stringMatching(/`git merge refs\/looper\/001-make-two\/tip` merges it.* -e \.looper/),
  }
  await expect(findRunId(root, null)).rejects.toMatchObject(lost)
  git('branch', 'looper/001-make-two')
  lost.hint = expect.stringContaining('`git merge looper/001-make-two` merges it')
  await expect(findRunId(root, '1')).rejects.toMatchObject(lost)
  expect(await readRuns(root)).toMatchObject([
    { id: '001-make-two', status: 'crashed', reason: 'its folder was deleted; see looper/001-make-two' },
  ])

  // A process of the run may have made its folder again.
  expect(await runsOf(root).create('make two')).toMatchObject({ id: '001-make-two' })
  await expect(readRun(root, '001-make-two')).rejects.toMatchObject(lost)
  await runsOf(root).create('another')
  await expect(readRun(root, '002-another')).rejects.toThrow('002-another never started.')
  expect(await findRunId(root, null)).toBe('002-another')
  await expect(findRunId(root, '3')).rejects.toThrow('There is no run "3".')
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findRunId } from './find-run.ts'
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

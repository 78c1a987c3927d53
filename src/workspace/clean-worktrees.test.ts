import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeRepository, makeWorktrees, openRepository, workspacesOf } from '../../test/kit/repository.ts'
import { merge, prepare, ready } from '../../test/kit/steps.ts'
import { findMarked } from '../platform/sweep.ts'

describe('clean', () => {
  test("removes this run's work trees and no others", async () => {
    const repository = makeRepository()
    const { worktrees } = await ready(repository, 'T001', 'T002')
    const other = await makeWorktrees(repository, { run: '002-other', branch: 'looper/002-other' })
    await prepare(other, 'T001')
    repository.git('worktree', 'add', '--quiet', '--detach', '../mine')
    rmSync(join(repository.root, '../mine'), { recursive: true })
    await worktrees.clean()
    await worktrees.clean()
    const listed = repository.git('worktree', 'list', '--porcelain')
    expect(listed.match(/^worktree .*/gm)?.toSorted()).toEqual([
      `worktree ${join(repository.root, '../mine')}`,
      `worktree ${repository.root}`,
    ])
    expect(existsSync(workspacesOf(repository))).toBe(false)
    expect(existsSync(other.path('T001'))).toBe(true)
    expect(repository.git('status', '--porcelain')).toBe('')
    await other.clean()
    expect(readdirSync(join(repository.root, '../workspaces'))).toEqual([])
  })

  test('ends the process that moves refs', async () => {
    const repository = makeRepository()
    const key = `test:${repository.root}`
    const worktrees = await makeWorktrees(repository, { mark: (workId) => `${key}:${workId}:1` })
    const { base } = await prepare(worktrees, 'T001')
    openRepository(worktrees.path('T001')).write('a.txt', 'changed')
    expect(await merge(worktrees, 'T001', base)).toMatchObject({ status: 'landed' })
    await worktrees.clean()
    expect(findMarked(`${key}:`)).toEqual([])
  })

  test('removes the linked work trees of an earlier version', async () => {
    const repository = makeRepository()
    const { worktrees } = await ready(repository, 'T001')
    repository.git('worktree', 'add', '--quiet', '--detach', '.looper/worktrees/001-demo/w1')
    repository.git('worktree', 'add', '--quiet', '--detach', '.looper/worktrees/002-other/w1')
    await worktrees.clean()
    expect(repository.git('worktree', 'list')).not.toContain('001-demo')
    expect(repository.git('worktree', 'list')).toContain('002-other')
    expect(readdirSync(join(repository.root, '.looper/worktrees'))).toEqual(['002-other'])
  })
})

import { afterEach, expect, test } from 'vitest'
import { createProject, type Project } from '../kit/project.ts'

let project: Project
afterEach(() => project.remove())

test('a whole run: planned, built, checked, verified, landed on its own branch', async () => {
  project = createProject()
  const { code, stdout, stderr } = await project.looper('run', 'make two files')
  expect(stderr).toBe('')
  expect(code).toBe(0)
  expect(stdout).toContain('T002 done')
  expect(await project.status()).toMatchObject({
    id: '001-make-two-files',
    status: 'completed',
    reason: null,
    stage: 'report',
    branch: 'looper/001-make-two-files',
    turns: 9,
    wave: 2,
    tasks: [
      { id: 'T001', status: 'done', attempts: 1, evidence: [{ check: 'true', exitCode: 0 }] },
      { id: 'T002', status: 'done', dependsOn: ['T001'] },
    ],
  })
  expect(project.git('ls-tree', '--name-only', 'looper/001-make-two-files').split('\n')).toEqual([
    'README.md',
    'T001.txt',
    'T002.txt',
  ])
  expect(project.git('status', '--porcelain', '--untracked-files=all')).toBe('?? .looper/config.json')
})

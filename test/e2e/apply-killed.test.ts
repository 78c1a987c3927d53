/** `looper apply` that is killed after it moved the files and before it moved the branch: the next one finishes. */
import { execFileSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { playedOnce } from '../kit/played-once.ts'
import { createProject, type Project } from '../kit/project.ts'

const ran = playedOnce(async (): Promise<Project> => {
  const project = createProject({ config: { checks: ['test -e T001.txt || test ! -e T002.txt'], review: false } })
  expect(await project.looper('run', 'make two files')).toMatchObject({ code: 0 })
  return project
})

/** A run that was applied by a process that ended with SIGKILL when it was about to move the branch. */
async function killed(...args: string[]): Promise<Project> {
  const project = await ran()
  project.write('theirs.txt', 'x\n')
  project.git('add', 'theirs.txt')
  project.git('commit', '-q', '-m', 'theirs')
  project.write('mine.txt', 'm\n')
  const before = project.git('rev-parse', 'main')
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
  const git = join(project.notes, 'git')
  writeFileSync(git, `#!/bin/sh\ncase "$*" in *"looper apply: "*) kill -9 $PPID; exit 1 ;; esac\nexec ${real} "$@"\n`)
  chmodSync(git, 0o755)
  const path = `PATH=${project.notes}:${process.env['PATH']}`
  expect(await project.looperThrough(['env', path], 'apply', '1', ...args)).toMatchObject({ code: null })
  expect(project.git('rev-parse', 'main')).toBe(before)
  expect(status(project)).toBe('A  T001.txt\nA  T002.txt\n?? mine.txt')
  return project
}

const status = (project: Project): string => project.git('status', '--porcelain', '--', '.', ':!.looper')

test.each([
  ['--merge', "Merge branch 'looper/001-make-two-files'"],
  ['--squash', 'make two files'],
  ['--rebase', 'two'],
])('%s is finished, and other files stay as they are', async (style, subject) => {
  const project = await killed(style)
  const { code, stdout, stderr } = await project.looper('apply', '1', style, '--check')
  expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: expect.stringContaining('2 files changed') })
  expect(project.git('log', '-1', '--format=%s')).toContain(subject)
  expect(status(project)).toBe('?? mine.txt')
  expect((await project.looper('apply', '1', style)).stdout).toContain('is already in your branch main')
})

test('an edit of the user since then is refused and kept', async () => {
  const project = await killed()
  project.write('T001.txt', 'my own\n')
  const { code, stderr } = await project.looper('apply', '1')
  expect([code, stderr]).toEqual([1, expect.stringContaining('would be overwritten: T001.txt. Nothing was changed.')])
  expect([status(project), project.read('T001.txt')]).toEqual(['AM T001.txt\nA  T002.txt\n?? mine.txt', 'my own\n'])
})

/** Runs whose engine is killed, and what a resume must give. */
import { afterEach, beforeAll, expect } from 'vitest'
import { eventsSoFar, follow, go, landed, removeAll, survivors, treeOf, until } from './live.ts'
import { createProject, type Project, type ProjectOptions } from './project.ts'

export const run = '001-make-two-files'
export const branch = `looper/${run}`
export const quick = { review: false, checks: ['true'] }

export let project: Project
export const openProject = (options: ProjectOptions): Project => (project = createProject(options))
export let expected = ''

/** Starts a new engine; agents that wait for a signal get it only then, so that they are found alive. */
export async function adopts(...names: string[]): Promise<void> {
  const looper = follow(project.start('resume'))
  const resumed = (): boolean => eventsSoFar(project).some(({ type }) => type === 'run.resumed')
  await Promise.race([until('the run to go on', resumed), looper.ended])
  for (const name of names) go(project, name)
  expect(await looper.ended).toMatchObject({ code: 0, stderr: '' })
}

/** Ends what was begun, and says what must be true after any crash. */
export async function resumes(...names: string[]): Promise<void> {
  await adopts(...names)
  expect(treeOf(project, branch)).toBe(expected)
  expect(landed(project, branch)).toEqual(['T001', 'T002'])
  expect(survivors(project)).toEqual([])
  expect(project.git('worktree', 'list').split('\n')).toHaveLength(1)
  expect(project.git('status', '--porcelain')).toBe('?? .looper/')
}

export const begin = (...args: string[]) => follow(project.start('run', 'make two files', ...args))

/** Call it once in each test file. */
export function useCrashedRun(): void {
  beforeAll(async () => {
    const undisturbed = createProject({ config: quick })
    expect(await undisturbed.looper('run', 'make two files')).toMatchObject({ code: 0 })
    expected = treeOf(undisturbed, branch)
    expect(expected.split('\n')).toHaveLength(3)
    undisturbed.remove()
  })
  afterEach(() => removeAll(project))
}

/** Runs on a disk that refuses, and what a resume must give. */
import { join } from 'node:path'
import { afterEach, beforeAll, expect } from 'vitest'
import { landed, removeAll, survivors, treeOf } from './live.ts'
import { createProject, type Ended, type Project, type ProjectOptions } from './project.ts'

export const run = '001-make-two-files'
export const branch = `looper/${run}`
export const quick = { review: false, checks: ['true'] }

export let project: Project
export const openProject = (options: ProjectOptions): Project => (project = createProject(options))
export let expected = ''

export const undo: (() => void)[] = []

export const inRun = (...names: string[]): string => join(project.root, '.looper/runs', run, ...names)

export async function completes(): Promise<void> {
  expect(await project.looper('resume')).toMatchObject({ code: 0, stderr: '' })
  expect(treeOf(project, branch)).toBe(expected)
  expect(landed(project, branch)).toEqual(['T001', 'T002'])
  expect(survivors(project)).toEqual([])
}

/** What went wrong, what to do, and nothing else. */
export function expectTwoLines({ code, stderr }: Ended, exit: number, what: RegExp, hint: RegExp): void {
  expect({ code, stderr }).toEqual({ code: exit, stderr: expect.stringMatching(/^looper: [^\n]+\n {2}[^\n]+\n$/) })
  const [first, second] = stderr.split('\n')
  expect(first).toMatch(what)
  expect(second).toMatch(hint)
}

/** Call it once in each test file. */
export function useBrokenDisk(): void {
  beforeAll(async () => {
    const undisturbed = createProject({ config: quick })
    expect(await undisturbed.looper('run', 'make two files')).toMatchObject({ code: 0 })
    expected = treeOf(undisturbed, branch)
    undisturbed.remove()
  })
  afterEach(async () => {
    for (const step of undo.splice(0).toReversed()) step()
    await removeAll(project)
  })
}

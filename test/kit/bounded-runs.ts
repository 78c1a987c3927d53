/** Runs whose agent misbehaves while no engine runs. */
import { afterEach, expect } from 'vitest'
import { follow, held, keepers, landed, noting, removeAll, survivors, until, type Process } from './live.ts'
import { ownAgent } from './outside.ts'
import { cooperative, createProject, type Project, type ProjectOptions } from './project.ts'

export const branch = 'looper/001-make-two-files'
export const quick = { review: false, checks: ['true'] }
export const turn = 'T001/a1/implement'

export let project: Project
export const openProject = (options: ProjectOptions): Project => (project = createProject(options))

/** The first coder does its misdeed once the test lets it, and never ends by itself; later ones cooperate. */
export const misbehaving = (misdeed: string): string => `${noting}
if (env.LOOPER_TURN === '${turn}') { await hold('coder'); ${misdeed}; await sleep(1e9) }
${cooperative}`

export interface Scene {
  misdeed?: string
  agent?: Record<string, unknown>
  config?: Record<string, unknown>
}

/** A run whose first coder waits for the test. */
export async function begin({ misdeed = '', agent = {}, config = {} }: Scene): Promise<Process> {
  openProject({ agent: misbehaving(misdeed) })
  project.configure({ ...quick, ...config, agent: 'test', agents: { test: { ...ownAgent(project), ...agent } } })
  const looper = follow(project.start('run', 'make two files'))
  await held(project, 'coder')
  await until('a keeper', () => keepers(project).length === 1)
  return looper
}

export async function resumes(...words: string[]): Promise<void> {
  expect(await project.looper('resume', ...words)).toMatchObject({ code: 0, stderr: '' })
  expect(landed(project, branch)).toEqual(['T001', 'T002'])
  expect(survivors(project)).toEqual([])
  await until('the end of the keeper', () => keepers(project).length === 0)
}

/** Call it once in each test file. */
export function useBoundedRun(): void {
  afterEach(() => removeAll(project))
}

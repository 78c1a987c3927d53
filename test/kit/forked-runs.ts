/** A run of three tasks, and forks of it. */
import { expect } from 'vitest'
import type { Forked } from '../../src/api/runs.ts'
import { type Project } from './project.ts'

export const original = '001-make-three-files'
export const second = '002-make-three-files'

/** A script that plans three tasks, one after the other, and writes each into a file of its own, signed. */
export const script = (signature: string): string =>
  JSON.stringify({
    turns: [
      {
        match: { role: 'planner' },
        steps: [
          {
            result: {
              status: 'plan',
              tasks: [
                { id: 'T001', title: 'one' },
                { id: 'T002', title: 'two', dependsOn: ['T001'] },
                { id: 'T003', title: 'three', dependsOn: ['T002'] },
              ],
            },
          },
        ],
      },
      ...['T001', 'T002', 'T003'].map((task) => ({
        match: { role: 'coder', task },
        steps: [
          { write: { path: `${task}.txt`, content: `${task} by ${signature}\n` } },
          { usage: { inputTokens: 100, outputTokens: 10, costUsd: 0.1 } },
          { result: { status: 'complete', summary: `${task} is made` } },
        ],
      })),
    ],
  })

/** Three tasks done by the first agent. */
export async function threeTasks(project: Project): Promise<Project> {
  project.write('.looper/first.yaml', script('the first'))
  project.write('.looper/second.yaml', script('the second'))
  project.configure({
    agent: 'first',
    agents: { first: { script: '.looper/first.yaml' }, second: { script: '.looper/second.yaml' } },
    review: false,
    checks: ['true'],
    parallel: 1,
  })
  expect(await project.looper('run', 'make three files')).toMatchObject({ code: 0 })
  return project
}

export const forked = async (project: Project, ...args: string[]): Promise<Forked> => {
  const { code, stdout, stderr } = await project.looper('fork', ...args, '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout) as Forked
}
export const shown = (project: Project, run: string, path: string): string =>
  project.git('show', `looper/${run}:${path}`)

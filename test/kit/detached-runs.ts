/** Runs without a terminal, and the processes that hold them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect } from 'vitest'
import { isRunning, killStranger, noting, removeAll } from './live.ts'
import { createProject, cooperative, type Project } from './project.ts'

export let project: Project

export const runsFolder = (): string => join(project.root, '.looper/runs')
export const inRun = (run: string, file: string): string => join(runsFolder(), run, file)
export const holderOf = (run: string): { pid: number; heartbeatAt: string } =>
  JSON.parse(readFileSync(inRun(run, 'lock.json'), 'utf8')) as { pid: number; heartbeatAt: string }
export const runs = (): string[] => (existsSync(runsFolder()) ? readdirSync(runsFolder()) : [])
export const holders = (): number[] =>
  runs()
    .filter((run) => existsSync(inRun(run, 'lock.json')))
    .map((run) => holderOf(run).pid)

export const waiting = `${noting}
if (role === 'coder' && task === 'T001') await hold('coder')
${cooperative}`
export const quick = { review: false, checks: ['true'] }
export const make = (agent = waiting, config: Record<string, unknown> = quick): Project =>
  (project = createProject({ agent, config }))

/** The id of a run that is under way by itself. */
export async function detach(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await project.looper(...args, '-d', '-q')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout.trim()
}

export const stage = (runs: number): void => {
  project.write(
    '.looper/stages/polish/stage.yaml',
    `name: polish\ndescription: polishes\ncompletion: fixed-n\nruns: ${runs}\n`,
  )
  project.write('.looper/stages/polish/prompt.md', 'Pass ${ITERATION}.\n')
}

/** Call it once in each test file. */
export function useDetachedRun(): void {
  afterEach(async () => {
    for (const pid of holders()) if (isRunning(pid)) await killStranger(pid)
    await removeAll(project)
  })
}

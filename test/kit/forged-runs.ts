/** Runs that are killed and whose journals are forged. */
import { join } from 'node:path'
import { afterEach, expect } from 'vitest'
import type { Fact } from '../../src/model/event.ts'
import { noUsage } from '../../src/model/usage.ts'
import { endMarked } from '../../src/platform/sweep.ts'
import { eventsSoFar, follow, go, held, keyOf, killHard, landed, noting, removeAll } from './live.ts'
import { createProject, type Ended, type Project, type ProjectOptions } from './project.ts'

export let project: Project
export const openProject = (options: ProjectOptions): Project => (project = createProject(options))

export const limits = { attempts: 2, fixCycles: 0, splitDepth: 0, goalIterations: 0, planRevisions: 0 }

/** Holds at the turn that is named, before its answer, until the test lets it go. */
export const agent = (body = ''): string => `${noting}
if (env.LOOPER_TURN === env.HOLDS && !may('turn')) await hold('turn')
${body}
if (role === 'planner') answer({ status: 'plan', tasks: [{ id: 'T001', title: 'one' }, { id: 'T002', title: 'two' }] })
if (role === 'supervisor') answer({ score: 90, summary: 'fine' })
if (role === 'tester') answer({ status: 'passed', total: 1, passed: 1, failed: 0 })
if (role === 'coder') { write(task + '.txt', task); answer({ status: 'complete', summary: 'made ' + task }) }
`

/** A run whose engine was killed while the turn `holds` was under way. */
export async function killedAt(holds: string, config: Record<string, unknown> = {}, body = ''): Promise<void> {
  openProject({
    agent: `env.HOLDS = '${holds}'\n${agent(body)}`,
    config: { review: true, parallel: 1, limits, ...config },
  })
  const looper = follow(project.start('run', 'make two files'))
  await held(project, 'turn')
  await killHard(looper)
  await endMarked(`${keyOf(project)}:`, { graceMs: 0 })
}

export async function resumed(): Promise<Ended> {
  go(project, 'turn')
  return project.looper('resume')
}

export const turns = (): string => join(project.root, '.looper/runs/last/turns')
export const cleanTurns = (): Promise<Ended> => project.looper('clean', '--turns', '--keep', '0', '--yes')

export const answered = (id: string, result: unknown): Fact => ({
  type: 'work.finished',
  id,
  outcome: { kind: 'turn', status: 'ok', result, usage: noUsage, durationMs: 1, sessionId: null, edited: [] },
})

export const revoked = (): (readonly [string, string])[] =>
  eventsSoFar(project).flatMap((event) =>
    event.type === 'work.lost' && event.revokes !== undefined ? [[event.id, event.why] as const] : [],
  )

export async function expectBothDone({ code, stderr }: Ended): Promise<void> {
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const { status, branch } = await project.status()
  expect({ status, landed: landed(project, branch).toSorted() }).toEqual({
    status: 'completed',
    landed: ['T001', 'T002'],
  })
}

const planned = (title: string): Record<string, unknown> => ({
  id: 'T001',
  title,
  description: '',
  complexity: 'simple',
  type: null,
  dependsOn: [],
  criteria: [],
  checks: [],
  files: [],
  priority: null,
})
export const planOf = (title: string): unknown => ({
  status: 'plan',
  tasks: [planned(title)],
  risks: [],
  assumptions: [],
  decisions: [],
  questions: [],
})
const added = (title: string): Fact =>
  ({
    type: 'task.added',
    origin: 'plan/r0',
    task: { ...planned(title), parent: null, depth: 0, priority: 1000 },
  }) as unknown as Fact
export const adopted = (title: string): Fact[] => [
  { type: 'plan.accepted', revision: 0, score: null, why: 'unreviewed' },
  added(title),
  { type: 'stage.entered', stage: 'execute', conclusion: null },
]
export const ended: Fact = { type: 'run.ended', status: 'completed', reason: null }

/** T001 has landed when the engine is killed, so that there is something to apply. */
export const afterOne = { review: false, checks: [{ name: 'test', run: 'true' }] }

export async function expectNotResumed(why: string): Promise<void> {
  const before = eventsSoFar(project).length
  const { code, stdout, stderr } = await resumed()
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain(why)
  expect(stderr).toMatch(/is not trusted: .+ The run was not resumed\./)
  expect(stderr).toMatch(/Start again from before it: looper fork \S+ --at \d+/)
  expect(stderr).not.toContain('nothing to resume')
  expect(eventsSoFar(project)).toHaveLength(before)
}

/** Call it once in each test file. */
export function useForgedRun(): void {
  afterEach(() => removeAll(project))
}

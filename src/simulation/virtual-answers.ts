/** The answers of virtual agents, in the shape that each role must give. */
import type { TurnOutcome } from '../model/work.ts'
import type { Random } from './random.ts'
import type { PlannedTask, Scenario } from './scenario.ts'

type Plain<T> = T extends unknown ? Omit<T, 'kind' | 'usage' | 'durationMs' | 'sessionId' | 'edited'> : never
export type Answer = Plain<TurnOutcome>

export const ok = (result: Record<string, unknown>): Answer => ({ status: 'ok', result })

export const iterated = (more: Record<string, unknown> = {}): Answer =>
  ok({
    task_id: null,
    status: 'done',
    summary: 'done',
    files: [],
    blockers: [],
    new_tasks: [],
    patterns: [],
    decisions: [],
    questions: [],
    ...more,
  })

export const discoveries = ({ discovery }: Scenario, random: Random, id: string): Record<string, unknown>[] =>
  discovery && random.chance(0.2) ? [task(`found by ${id}`)] : []

export const complete = (newTasks: Record<string, unknown>[] = [], more: Record<string, unknown> = {}): Answer =>
  ok({ status: 'complete', summary: 'done', files: [], decisions: [], questions: [], newTasks, ...more })

export const question = (random: Random): Record<string, unknown> => ({
  text: 'Which one?',
  options: ['this', 'that'],
  default: random.chance(0.5) ? 'this' : null,
  blocks: [],
})

export const verdict = (score: number, issues = 0): Answer =>
  ok({
    score,
    summary: `score ${score}`,
    missing: [],
    feedback: '',
    issues: Array.from({ length: issues }, () => ({ severity: 'critical', message: 'wrong' })),
  })

/** The wave as a whole is accepted; each task gets its own verdict. */
export const waveVerdict = ({ plan }: Scenario, random: Random, turnsDown: number): Answer =>
  ok({
    score: 90,
    summary: 'a wave',
    missing: [],
    feedback: '',
    issues: [],
    verdicts: plan
      .filter(() => random.chance(0.5))
      .map(({ id }) => ({ task: id, approved: !random.chance(turnsDown), feedback: 'not like that' })),
  })

export const planned = (tasks: Record<string, unknown>[]): Answer =>
  ok({ status: 'plan', tasks, risks: [], assumptions: [], decisions: [], questions: [] })

export const task = (id: string, dependsOn: string[] = [], checks: string[] = []): Record<string, unknown> => ({
  id,
  title: id,
  description: '',
  complexity: 'simple',
  type: null,
  dependsOn,
  criteria: [],
  checks,
  files: [],
  priority: null,
})

export const taskOf = ({
  id,
  dependsOn,
  checks,
  priority,
  files = [],
  complexity = 'simple',
  asks,
  allows,
}: PlannedTask): Record<string, unknown> => ({
  ...task(id, dependsOn, checks),
  files,
  complexity,
  ...(asks ? { title: titles[asks] } : {}),
  ...(allows ? { allows } : {}),
  ...(priority === undefined ? {} : { priority }),
})

/** Wording that Looper reads as an instruction, or as a permission if a person wrote it. */
export const titles = { fix: 'Fix the failing test', weaken: 'Remove the old tests' } as const

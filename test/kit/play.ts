/** Plays a run in memory: the real core against a world given as one function from work to outcome. */
import { concludeUntilQuiet } from '../../src/core/conclude-until-quiet.ts'
import { evolve } from '../../src/core/evolve.ts'
import { initialState } from '../../src/core/initial.ts'
import { gapTo, notWanted } from '../../src/core/tasks/under-way.ts'
import type { RunConfig } from '../../src/model/config.ts'
import { eventVersion, type Event, type Fact, type StageName } from '../../src/model/event.ts'
import { frozen } from '../../src/model/frozen.ts'
import type { Pipeline } from '../../src/model/loop.ts'
import { usualGoal } from '../../src/model/source.ts'
import type { RunState } from '../../src/model/state.ts'
import { addMs } from '../../src/model/time.ts'
import { noUsage } from '../../src/model/usage.ts'
import type {
  CheckOutcome,
  IntegrateOutcome,
  IntegrateWork,
  Outcome,
  TurnOutcome,
  TurnWork,
  Work,
} from '../../src/model/work.ts'

export { baseConfig, limits } from './base-config.ts'

export type World = (work: Work, state: RunState) => Outcome | undefined

export interface Played {
  state: RunState
  events: Event[]
  of<T extends Event['type']>(type: T): Event<T>[]
  /** Goes on after a pause or a failure. */
  resume(changes?: Partial<RunConfig['limits']>, world?: World): Played
  record(fact: Fact): Played
}

const stagesOf = (workflow: string): StageName[] =>
  workflow === 'backlog' || workflow === 'loop' ? [workflow, 'report'] : ['plan', 'execute', 'gate', 'report']

export const started = (config: RunConfig): Fact => ({
  type: 'run.started',
  version: eventVersion,
  run: '001-x',
  goal: config.workflow === 'backlog' ? usualGoal(config) : 'do it',
  workflow: config.workflow,
  stages: stagesOf(config.workflow),
  config: structuredClone(config),
  base: { commit: 'c0', branch: 'main' },
  branch: 'looper/001-x',
})

const startOfTime = '2026-01-01T00:00:00.000Z'

export interface PlayOptions {
  maxEvents?: number
  from?: Event[]
  pipeline?: Pipeline
  goal?: string
  stages?: StageName[]
}

/**
 * Work finishes in the order it was started, one at a time; a wait jumps the clock. Stops when nothing can happen any
 * more.
 */
export function play(config: RunConfig, world: World, options: PlayOptions = {}): Played {
  const events: Event[] = frozen(structuredClone(options.from ?? [])).slice()
  const state = events.reduce(evolve, initialState())
  let now = events.at(-1)?.at ?? startOfTime
  const record = (fact: Fact): void => {
    const event = frozen(structuredClone({ ...fact, seq: state.seq + 1, at: now }))
    events.push(event)
    evolve(state, event)
    if (events.length > (options.maxEvents ?? 20_000)) throw new Error('the run does not end')
  }
  const go = (answer: World): void => {
    for (;;) {
      const { work } = concludeUntilQuiet(state, record)
      const { surplus, missing } = gapTo(state, work)
      for (const item of missing) record({ type: 'work.started', work: item })
      for (const { id, kind } of surplus)
        record({ type: 'work.lost', id, why: kind === 'wait' ? notWanted : 'cancelled' })
      if (surplus.length > 0) continue
      const next = Object.values(state.works)
        .map((entry) => entry.work)
        .toSorted(byUntil)[0]
      if (!next) return
      if (next.kind === 'wait') now = next.until > now ? next.until : now
      else now = addMs(now, 1000)
      record({ type: 'work.finished', id: next.id, outcome: answer(next, state) ?? outcomeFor(next, state) })
    }
  }
  const { pipeline, goal, stages } = options
  if (events.length === 0) {
    record({
      ...started(config),
      ...(goal === undefined ? {} : { goal }),
      ...(stages ? { stages } : {}),
      ...(pipeline ? { pipeline, session: 'auth' } : {}),
    })
  }
  go(world)
  const played: Played = {
    state,
    events,
    of: (type) => events.filter((event) => event.type === type) as never,
    resume(changes = {}, again = world) {
      record({ type: 'run.resumed', limits: changes })
      go(again)
      return played
    },
    record(fact) {
      record(fact)
      return played
    },
  }
  return played
}

const byUntil = (a: Work, b: Work): number =>
  Number(a.kind === 'wait') - Number(b.kind === 'wait')
  || (a.kind === 'wait' && b.kind === 'wait' ? a.until.localeCompare(b.until) : 0)

export const ok = (result: unknown, usage = noUsage): TurnOutcome => ({
  kind: 'turn',
  status: 'ok',
  result,
  usage: { ...usage },
  durationMs: 1000,
  sessionId: null,
  edited: [],
})

export const agentError = (
  kind: Extract<TurnOutcome, { status: 'error' }>['error']['kind'],
  resetsAt: string | null = null,
): TurnOutcome => ({
  kind: 'turn',
  status: 'error',
  error: { kind, message: kind, resetsAt },
  usage: { ...noUsage },
  durationMs: 1,
  sessionId: null,
  edited: [],
})

export const invalid = (...errors: string[]): TurnOutcome => ({
  kind: 'turn',
  status: 'invalid',
  errors,
  text: '',
  usage: { ...noUsage },
  durationMs: 1,
  sessionId: null,
  edited: [],
})

export const checkExit = (exitCode: number, changes: Partial<CheckOutcome> = {}): CheckOutcome => ({
  kind: 'check',
  exitCode,
  durationMs: 10,
  timedOut: false,
  started: true,
  tests: null,
  tail: exitCode === 0 ? '' : 'boom',
  fingerprint: exitCode === 0 ? null : 'f1',
  ...changes,
})

export const task = (id: string, dependsOn: string[] = []): Record<string, unknown> => ({
  id,
  title: id,
  description: '',
  complexity: 'simple',
  type: null,
  dependsOn,
  criteria: [],
  checks: [],
  files: [],
  priority: null,
})

export const plan = (...tasks: (string | [string, string[]])[]): TurnOutcome =>
  planOf(tasks.map((entry) => (typeof entry === 'string' ? task(entry) : task(...entry))))

export const planOf = (tasks: Record<string, unknown>[], more: Record<string, unknown> = {}): TurnOutcome =>
  ok({
    status: 'plan',
    tasks: tasks.map((entry) => ({ ...task('x'), ...entry })),
    risks: [],
    assumptions: [],
    decisions: [],
    questions: [],
    ...more,
  })

export const verdict = (score: number, more: Record<string, unknown> = {}): TurnOutcome =>
  ok({ score, summary: '', issues: [], missing: [], feedback: `score was ${score}`, ...more })

export const coded = (more: Record<string, unknown> = {}): TurnOutcome =>
  ok({ status: 'complete', summary: 'did it', files: [], decisions: [], questions: [], newTasks: [], ...more })

export const iterated = (more: Record<string, unknown> = {}): TurnOutcome =>
  ok({
    task_id: null,
    status: 'done',
    summary: 'did it',
    files: [],
    blockers: [],
    new_tasks: [],
    patterns: [],
    decisions: [],
    questions: [],
    ...more,
  })

export const tested = (more: Record<string, unknown> = {}): TurnOutcome =>
  ok({ status: 'passed', total: 1, passed: 1, failed: 0, failures: [], summary: '', ...more })

/** A world in which everything goes well: the outcome of work without another outcome. */
export function outcomeFor(work: Work, state?: RunState): Outcome {
  switch (work.kind) {
    case 'prepare':
      return { kind: 'prepare', base: 'c0', tree: 't0' }
    case 'turn':
      return turnFor(work)
    case 'check':
      return checkExit(0, work.commit === undefined ? {} : { verified: work.tree ?? `tree of ${work.commit}` })
    case 'inspect':
      return {
        kind: 'inspect',
        tree: `tree of ${work.id}`,
        files: ['a'],
        fileCount: 1,
        insertions: 1,
        deletions: 0,
        restored: false,
      }
    case 'integrate':
      return integrated(work, state)
    case 'overlay':
      return { kind: 'overlay', tree: `tree of ${work.id}` }
    case 'checkpoint':
      return { kind: 'checkpoint', ref: `refs/looper/run/checkpoints/${work.name}` }
    case 'rollback':
      return { kind: 'rollback', status: 'done', kept: 'refs/looper/run/set-aside/1' }
    case 'sync':
      return {
        kind: 'sync',
        tasks: work.write?.tasks ?? [],
        removed: [],
        claim: work.claim === null ? null : { task: work.claim, ok: true },
        complete: false,
        problems: [],
      }
    case 'wait':
      return { kind: 'wait' }
    case 'finish':
      return { kind: 'finish' }
  }
}

/** What a check looks at: a tree, or the commit that the verification workspace is at. */
export const seenIn = (work: Work): string | null => (work.kind === 'check' ? (work.tree ?? work.commit ?? null) : null)

/** Nothing else has landed meanwhile, but for candidates below. */
function integrated(work: IntegrateWork, state?: RunState): IntegrateOutcome {
  const { step } = work
  const commit = `commit of ${work.id.replace(/\/(merge|land)([\d.]+)$/, '/merge$2')}`
  if (step.kind === 'move') return { kind: 'integrate', status: 'placed' }
  if (step.kind !== 'merge' || step.landAnyway) return { kind: 'integrate', status: 'landed', commit }
  const onto = step.onto ?? state?.landings.at(-1)?.commit ?? 'c0'
  const stacked = step.onto === undefined ? {} : { stacked: true as const }
  return { kind: 'integrate', status: 'merged', commit, tree: step.tree ?? `tree of ${work.id}`, onto, ...stacked }
}

function turnFor(work: TurnWork): TurnOutcome {
  switch (work.role) {
    case 'planner':
      return work.purpose === 'split' ? plan('x', 'y') : plan('T001', ['T002', ['T001']])
    case 'supervisor':
      return verdict(90)
    case 'tester':
      return tested()
    case 'iterator':
      return iterated(work.task === null ? { status: 'stop' } : {})
    default:
      return coded()
  }
}

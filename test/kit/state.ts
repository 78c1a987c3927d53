/**
 * What tests of views and prompts share: literal states with the parts a test cares about replaced, and a reader of
 * fences.
 */
import { initialConvergence } from '../../src/core/state/waves.ts'
import type { RunConfig } from '../../src/model/config.ts'
import type { CheckRecord, Event, Fact, Failure, PauseReason } from '../../src/model/event.ts'
import type { AttemptState, RunState, TaskState } from '../../src/model/state.ts'
import type { RunStatus } from '../../src/model/state/run.ts'
import type { BlockKind, TaskStatus } from '../../src/model/task.ts'
import type { Verdict } from '../../src/model/verdict.ts'
import type { TurnWork } from '../../src/model/work.ts'
import { baseConfig } from './base-config.ts'

export const sampleConfig = (overrides: Partial<RunConfig> = {}): RunConfig =>
  baseConfig({
    agent: 'claude',
    agents: {},
    workspace: { mode: 'worktree', setup: null, copy: [], commit: true },
    checks: [
      { name: 'test', run: 'npm test' },
      { name: 'lint', run: 'npm run lint' },
    ],
    ...overrides,
  })

/** Any status without the fields that belong to it. */
type SampleTask = Partial<Omit<TaskState, 'status' | 'block'>> & { status?: TaskStatus; block?: BlockKind | null }

export const sampleTask = ({ status = 'todo', block, ...overrides }: SampleTask & { id: string }): TaskState => ({
  title: `Title of ${overrides.id}`,
  description: '',
  complexity: 'medium',
  type: null,
  dependsOn: [],
  criteria: [],
  checks: [],
  files: [],
  priority: 0,
  parent: null,
  depth: 0,
  origin: 'plan',
  index: 0,
  reason: null,
  attempts: 0,
  attemptsLeft: 3,
  fixCycles: 0,
  conflicts: 0,
  attempt: null,
  next: null,
  failures: [],
  evidence: [],
  verdict: null,
  commit: null,
  summary: null,
  children: [],
  waitingOn: 0,
  usage: { inputTokens: 0, outputTokens: 0, costUsd: 0 },
  startedAt: null,
  endedAt: null,
  ...overrides,
  ...(status === 'blocked' ? { status, block: block ?? 'external' } : { status, block: null }),
})

export const sampleAttempt = (overrides: Partial<AttemptState> = {}): AttemptState => ({
  n: 1,
  agent: 'claude',
  startedAt: '2026-03-01T10:02:00.000Z',
  round: 0,
  base: null,
  tree: null,
  failure: null,
  checks: [],
  verdict: null,
  ...overrides,
})

export const sampleCheck = (overrides: Partial<CheckRecord> = {}): CheckRecord => ({
  task: 'T002',
  attempt: 1,
  round: 0,
  merged: false,
  check: 'test',
  passed: true,
  usable: true,
  note: null,
  exitCode: 0,
  durationMs: 1_200,
  tests: 14,
  tree: null,
  tail: '',
  fingerprint: null,
  ...overrides,
})

export const sampleVerdict = (overrides: Partial<Verdict> = {}): Verdict => ({
  score: 88,
  level: 'none',
  approved: true,
  summary: 'Does what was asked.',
  issues: [],
  missing: [],
  feedback: '',
  ...overrides,
})

export const sampleFailure = (overrides: Partial<Failure> = {}): Failure => ({
  kind: 'check',
  error: null,
  summary: 'check test failed (exit 1)',
  detail: 'AssertionError: expected 1 to be 2',
  fingerprint: null,
  ...overrides,
})

export const sampleTurn = (overrides: Partial<TurnWork> = {}): TurnWork => ({
  kind: 'turn',
  id: 'T002/a1/implement',
  slot: 'T002/a1/implement',
  workspace: 'T002',
  role: 'coder',
  purpose: 'implement',
  agent: 'claude',
  model: null,
  task: 'T002',
  attempt: 1,
  errors: [],
  base: null,
  tree: null,
  ...overrides,
})

export const sampleEvent = (fact: Fact, at = '2026-03-01T10:05:00.000Z'): Event => ({ ...fact, seq: 40, at })

/** Any status without the fields that belong to it. */
export type SampleState = Partial<Omit<RunState, 'tasks' | 'status' | 'pause'>> & {
  tasks?: TaskState[]
  status?: RunStatus
  pause?: PauseReason | null
}

/** Indexes follow from the tasks given. */
export function sampleState(overrides: SampleState = {}): RunState {
  const { tasks = [], status = 'running', pause = null, ...rest } = overrides
  const counts: Record<TaskStatus, number> = {
    todo: 0,
    doing: 0,
    done: 0,
    failed: 0,
    blocked: 0,
    split: 0,
    cancelled: 0,
  }
  for (const task of tasks) counts[task.status] += 1
  return {
    seq: 40,
    lastAt: '2026-03-01T10:05:00.000Z',
    run: '001-add-auth',
    goal: 'Add authentication',
    workflow: 'supervised',
    stages: ['plan', 'execute', 'gate', 'report'],
    config: sampleConfig(),
    base: { commit: '1234567890abcdef1234567890abcdef12345678', branch: 'main' },
    branch: 'looper/001-add-auth',
    reason: null,
    stage: 'execute',
    conclusion: null,
    request: null,
    reopening: false,
    applied: null,
    discardedAt: null,
    startedAt: '2026-03-01T10:00:00.000Z',
    endedAt: null,
    elapsedMs: 0,
    activeSince: '2026-03-01T10:00:00.000Z',
    plan: { revision: 0, accepted: true, score: 82, feedback: null, verdict: null },
    gate: { round: 0, checks: [], verdict: null },
    baseline: null,
    flaky: {},
    convergence: initialConvergence(),
    landings: [],
    checkpoints: [],
    antiPatterns: [],
    waveReviewed: 0,
    backlog: null,
    session: null,
    pipeline: null,
    prompt: null,
    loop: null,
    tasks: Object.fromEntries(tasks.map((task, index) => [task.id, { ...task, index }])),
    order: tasks.map((task) => task.id),
    ready: tasks.filter((task) => task.status === 'todo').map((task) => task.id),
    active: tasks.filter((task) => task.status === 'doing').map((task) => task.id),
    counts,
    met: counts.done,
    recent: tasks.filter((task) => task.status === 'done').map((task) => task.id),
    dependents: {},
    works: {},
    ledger: {},
    starts: {},
    quotas: {},
    allowances: {},
    wave: 1,
    waveTasks: [],
    goalIteration: 0,
    turns: 4,
    usage: { inputTokens: 12_000, outputTokens: 3_000, costUsd: 0.42 },
    spending: {},
    dearest: { inputTokens: 0, outputTokens: 0, costUsd: 0 },
    waitedMs: 0,
    questions: [],
    decisions: [],
    findings: [],
    ...rest,
    ...(status === 'paused'
      ? { status, pause: pause ?? { kind: 'user', detail: rest.reason ?? '', hint: '' } }
      : { status, pause: null }),
  }
}

/** A markdown text without its fenced blocks, as a reader of the document would take it. */
export function outsideFences(text: string): string {
  let fence: string | null = null
  return text
    .split('\n')
    .filter((line) => {
      const ticks = /^(`{3,})/.exec(line)?.[1]
      if (fence === null && ticks !== undefined) fence = ticks
      else if (fence !== null && line === fence) fence = null
      else return fence === null
      return false
    })
    .join('\n')
}

/** The configuration of runs in tests. */
import type { RunConfig } from '../../src/model/config.ts'

export const baseConfig = (changes: Partial<RunConfig> = {}): RunConfig => ({
  workflow: 'supervised',
  source: 'todo-file',
  sourceName: null,
  backlog: 'to-do.json',
  agent: 'a',
  agents: { a: { command: ['a'] } },
  roles: {},
  schedule: 'single',
  rotation: [],
  parallel: 4,
  checksParallel: 2,
  workspace: { mode: 'worktree', setup: [], copy: [], commit: true },
  checks: [{ name: 'test', run: 'npm test' }],
  interaction: 'auto',
  limits: {
    timeMinutes: 120,
    costUsd: 25,
    tokens: null,
    turns: null,
    iterations: 50,
    goalIterations: 5,
    fixCycles: 3,
    attempts: 3,
    splitDepth: 3,
    planRevisions: 3,
    recoveries: 2,
    waitMinutes: 360,
    newTasks: 20,
  },
  secrets: [],
  race: {},
  thresholds: { approve: 70, revise: 50, failedTasksAbort: 0.5 },
  review: true,
  sessions: 'fresh',
  onUsageLimit: 'wait',
  onPlanRejected: 'skip_and_continue',
  hooks: { postIteration: [], onQuestion: [], onLimit: [], onEnd: [], timeoutSeconds: 30 },
  notify: { desktop: false, bell: false, webhook: null, on: ['question', 'limit', 'end'] },
  ...changes,
})

export const limits = (changes: Partial<RunConfig['limits']>): Partial<RunConfig> => ({
  limits: { ...baseConfig().limits, ...changes },
})

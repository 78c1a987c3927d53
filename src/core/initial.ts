/** The state before anything happened. */
import type { RunConfig } from '../model/config.ts'
import type { RunState } from '../model/state.ts'
import { initialConvergence } from './convergence.ts'
import { noUsage } from '../model/usage.ts'

export const initialState = (): RunState => ({
  seq: 0, lastAt: '',
  run: '', goal: '', workflow: '', stages: [], config: {} as RunConfig, base: { commit: '', branch: null }, branch: '',
  status: 'new', reason: null, pause: null, stage: null, conclusion: null, request: null, reopening: false,
  applied: null, discardedAt: null,
  startedAt: '', endedAt: null, elapsedMs: 0, activeSince: null,
  plan: { revision: 0, accepted: false, score: null, feedback: null, verdict: null },
  gate: { round: 0, checks: [], verdict: null }, backlog: null, session: null, pipeline: null, prompt: null, loop: null,
  tasks: {}, order: [], ready: [], active: [], recent: [], dependents: {},
  counts: { todo: 0, doing: 0, done: 0, failed: 0, blocked: 0, split: 0, cancelled: 0 }, met: 0,
  works: {}, ledger: {}, starts: {}, quotas: {}, allowances: {},
  baseline: null, flaky: {}, convergence: initialConvergence(), landings: [], checkpoints: [], antiPatterns: [],
  wave: 0, waveTasks: [], waveReviewed: 0, goalIteration: 0, turns: 0,
  usage: { ...noUsage }, spending: {}, dearest: { ...noUsage }, waitedMs: 0,
  questions: [], decisions: [], findings: [],
})

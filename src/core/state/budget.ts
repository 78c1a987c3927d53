/** The budget: turns, usage and quotas. Usage is counted once, however often an agent reports it. */
import { isLimit } from '../../model/agent-error.ts'
import type { RunState } from '../../model/state.ts'
import type { BudgetSlice } from '../../model/state/budget.ts'
import { parseTime } from '../../model/time.ts'
import { addUsage, noUsage, subtractUsage, type Usage } from '../../model/usage.ts'
import type { TurnOutcome } from '../../model/work.ts'
import { setFields } from '../../model/set-fields.ts'
import { quotaKey, type Route } from '../policies/routing.ts'
import type { Slice } from './slice.ts'

export const budgetSlice = {
  initial: () => ({
    turns: 0,
    usage: { ...noUsage },
    spending: {},
    dearest: { ...noUsage },
    waitedMs: 0,
    quotas: {},
    allowances: {},
  }),

  on: {
    'run.forked'(state) {
      setFields(state, { turns: 0, usage: { ...noUsage }, spending: {}, waitedMs: 0 })
    },

    'run.resumed'(state) {
      if (state.status !== 'running') setFields(state, { waitedMs: 0, quotas: {} })
    },

    'work.started'(state, { work }) {
      if (work.kind === 'turn') state.turns++
    },

    'budget.spent'(state, { work: id, usage }) {
      const started = state.works[id]
      if (started?.work.kind === 'turn') spend(state, id, usage, started.work.task)
    },

    'work.finished'(state, { id, outcome }) {
      const work = state.works[id]?.work
      if (!work) return
      if (outcome.kind === 'turn') {
        spend(state, id, outcome.usage, work.kind === 'turn' ? work.task : null)
        if (outcome.diskBytes !== undefined) state.diskBytes = outcome.diskBytes
        if (work.kind === 'turn') recordQuota(state, work, outcome)
      }
      settle(state, id)
    },

    'work.lost'(state, { id }) {
      settle(state, id)
    },
  },
} satisfies Slice<BudgetSlice>

/** An agent reports the cumulative usage of a turn, so only the increase is added. */
function spend(state: RunState, id: string, usage: Usage, taskId: string | null): void {
  const fresh = subtractUsage(usage, state.spending[id] ?? noUsage)
  state.spending[id] = usage
  state.usage = addUsage(state.usage, fresh)
  const task = taskId === null ? undefined : state.tasks[taskId]
  if (task) task.usage = addUsage(task.usage, fresh)
}

/** The turn is over. The most expensive turn so far is the estimate for turns under way. */
function settle(state: RunState, id: string): void {
  const spent = state.spending[id]
  if (!spent) return
  delete state.spending[id]
  state.dearest = {
    inputTokens: Math.max(state.dearest.inputTokens, spent.inputTokens),
    outputTokens: Math.max(state.dearest.outputTokens, spent.outputTokens),
    costUsd: Math.max(state.dearest.costUsd, spent.costUsd),
  }
}

/** Records the quota that a turn reports, so that other turns need not run into the same limit. */
function recordQuota(state: RunState, { agent, model }: Route, outcome: TurnOutcome): void {
  if (outcome.quotas !== undefined) state.allowances[agent] = outcome.quotas
  const key = quotaKey({ agent, model })
  const until =
    outcome.status === 'error' && isLimit(outcome.error.kind) && outcome.error.resetsAt !== null
      ? parseTime(outcome.error.resetsAt)
      : null
  if (until !== null) state.quotas[key] = until
  else if (outcome.status !== 'error') delete state.quotas[key]
}

/** The law of the budget: what was spent and what is reserved stay below the limits. */
import type { Event } from '../../model/event.ts'
import type { RunState } from '../../model/state.ts'
import { addUsage, noUsage, subtractUsage, type Usage } from '../../model/usage.ts'
import type { Checker } from '../checker.ts'

/** No turn starts when the spent amount plus the reservations for running turns reaches a limit. */
export const budget: Checker = {
  law: 'budget',
  watch(_history, report) {
    const reported = new Map<string, Usage>()
    let total: Usage = { ...noUsage }
    let dearest: Usage = { ...noUsage }
    let turns = 0
    const spend = (id: string, usage: Usage): void => {
      total = addUsage(total, subtractUsage(usage, reported.get(id) ?? noUsage))
      reported.set(id, usage)
    }
    const over = (id: string): void => {
      const usage = reported.get(id)
      if (usage) dearest = mostOf(dearest, usage)
      reported.delete(id)
    }
    const mayStart = (event: Event<'work.started'>, state: RunState): void => {
      const { limits } = state.config
      const open = Object.values(state.works)
        .filter(({ work }) => work.kind === 'turn')
        .map(({ work }) => reported.get(work.id) ?? noUsage)
      const reserved = (price: (usage: Usage) => number): number =>
        open.reduce((sum, usage) => sum + Math.max(0, price(dearest) - price(usage)), 0)
      const tokens = ({ inputTokens, outputTokens }: Usage): number => inputTokens + outputTokens
      const cost = ({ costUsd }: Usage): number => costUsd
      const reached = (what: string, value: number, limit: number | null): void => {
        if (limit !== null && value >= limit)
          report(`${event.work.id} starts with ${what} at ${value} of ${limit}`, event.seq)
      }
      reached('turns', turns, limits.turns)
      reached('cost', cost(total) + reserved(cost) - 1e-9, limits.costUsd)
      reached('tokens', tokens(total) + reserved(tokens), limits.tokens)
    }
    return {
      before(event, state) {
        if (event.type === 'work.started' && event.work.kind === 'turn') {
          mayStart(event, state)
          turns++
        }
        if (event.type === 'budget.spent' && state.works[event.work]) spend(event.work, event.usage)
        if (event.type === 'work.finished' && event.outcome.kind === 'turn' && state.works[event.id])
          spend(event.id, event.outcome.usage)
        if (event.type === 'work.finished' || event.type === 'work.lost') over(event.id)
      },
      end(state) {
        if (Math.abs(total.costUsd - state.usage.costUsd) > 1e-6)
          report(`$${state.usage.costUsd} is counted of $${total.costUsd}`)
      },
    }
  },
}

const mostOf = (a: Usage, b: Usage): Usage => ({
  inputTokens: Math.max(a.inputTokens, b.inputTokens),
  outputTokens: Math.max(a.outputTokens, b.outputTokens),
  costUsd: Math.max(a.costUsd, b.costUsd),
})

/** Agents with fallbacks and scripted outcomes, for tests of questions to agents. */
import type { RunConfig } from '../../src/model/config.ts'
import type { TurnOutcome, TurnWork } from '../../src/model/work.ts'
import { baseConfig, plan, play, type World } from './play.ts'

const agents = {
  a: { command: ['a'], fallback: ['b', 'c'] },
  b: { command: ['b'] },
  c: { command: ['c'], model: 'large' },
}
export const quick = (changes: Partial<RunConfig> = {}): RunConfig => baseConfig({ agents, review: false, ...changes })
export const inSession = (outcome: TurnOutcome, sessionId: string, costUsd = 0): TurnOutcome => ({
  ...outcome,
  sessionId,
  usage: { inputTokens: 10, outputTokens: 1, costUsd },
})
export const reset = '2026-01-01T01:00:00.000Z'

/** A world that takes each turn outcome from the table once, in order; everything else succeeds. */
export function world(table: Record<string, TurnOutcome[]>): World {
  const left = structuredClone(table)
  return (work) => {
    if (work.kind !== 'turn') return undefined
    if (work.role === 'planner') return left[work.id]?.shift() ?? plan('T001', 'T002')
    return left[work.id]?.shift()
  }
}
export const turns = (played: ReturnType<typeof play>): TurnWork[] =>
  played.of('work.started').flatMap(({ work }) => (work.kind === 'turn' ? [work] : []))
export const turn = (played: ReturnType<typeof play>, id: string): TurnWork | undefined =>
  turns(played).find((work) => work.id === id)

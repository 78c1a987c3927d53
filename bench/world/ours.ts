/**
 * Looper in such a world: the real core with its default configuration; what it wants done is done by the world's
 * agents and checks.
 */
import { defaultsLayer } from '../../src/config/merge.ts'
import { concludeUntilQuiet } from '../../src/core/conclude-until-quiet.ts'
import { evolve } from '../../src/core/evolve.ts'
import { initialState } from '../../src/core/initial.ts'
import { notWanted } from '../../src/core/tasks/under-way.ts'
import type { RunConfig } from '../../src/model/config.ts'
import type { Event, Fact } from '../../src/model/event.ts'
import type { RunState } from '../../src/model/state.ts'
import { addMs } from '../../src/model/time.ts'
import type { Work } from '../../src/model/work.ts'
import { started } from '../../test/kit/play.ts'
import { openPlace } from './place.ts'
import type { Ended } from './policy.ts'
import { lint, suite, type World } from './world.ts'

export type Agents = 'one' | 'two'

/** What a project with two checks and these agents gets when nothing else is configured. */
function configFor(world: World, agents: Agents): RunConfig {
  const usual = defaultsLayer().value as unknown as RunConfig
  return {
    ...structuredClone(usual),
    agent: 'a',
    agents: { a: { command: ['a'] }, ...(agents === 'two' ? { b: { command: ['b'] } } : {}) },
    checksParallel: 2,
    checks: [
      { name: suite, run: 'npm test' },
      { name: lint, run: 'npm run lint' },
    ],
    workspace: { ...usual.workspace, setup: [], commit: true },
    limits: { ...usual.limits, turns: world.budget, iterations: null },
  }
}

export interface Run extends Ended {
  state: RunState
  events: Event[]
}

/** Facts until there are none, then all work that is wanted; what is under way ends in an order of chance. */
export function runOurs(world: World, agents: Agents = 'two', keep = false): Run {
  const state = initialState()
  const events: Event[] = []
  const place = openPlace(world, () => state)
  const order = world.chance.fork('order')
  let now = '2026-01-01T00:00:00.000Z'
  const record = (fact: Fact): void => {
    const event = { ...fact, seq: state.seq + 1, at: now }
    if (keep) events.push(structuredClone(event))
    evolve(state, event)
    if (state.seq > 50_000) throw new Error('the run does not end')
  }
  record(started(configFor(world, agents)))
  for (;;) {
    const { work } = concludeUntilQuiet(state, record)
    const wanted = new Set(work.map(({ id }) => id))
    const unwanted = Object.values(state.works)
      .map((entry) => entry.work)
      .filter(({ id }) => !wanted.has(id))
    for (const { id, kind } of unwanted)
      record({ type: 'work.lost', id, why: kind === 'wait' ? notWanted : 'cancelled' })
    if (unwanted.length > 0) continue
    for (const item of work) if (!state.works[item.id]) record({ type: 'work.started', work: item })
    const under = Object.values(state.works).map((entry) => entry.work)
    const busy = under.filter(({ kind }) => kind !== 'wait')
    const next: Work | undefined = busy[order.int(0, busy.length - 1)] ?? under[0]
    if (!next) break
    now =
      next.kind === 'wait' ? (next.until > now ? next.until : now) : addMs(now, next.kind === 'turn' ? 20_000 : 1_000)
    record({ type: 'work.finished', id: next.id, outcome: place.perform(next) })
  }
  return { saysDone: state.status === 'completed', turns: state.turns, tree: place.tip(), state, events }
}

/** Laws of the journal: it is complete, it is true, and every prefix of it can be loaded. */
import { concludeUntilQuiet } from '../../core/conclude-until-quiet.ts'
import { decide } from '../../core/decide.ts'
import { evolve } from '../../core/evolve.ts'
import type { Event, Fact } from '../../model/event.ts'
import type { RunState } from '../../model/state.ts'
import type { Checker } from '../checker.ts'
import { copyOf } from '../copy-of.ts'

/** The journal is complete: folding it gives exactly the state that the engine had in memory. */
export const replay: Checker = {
  law: 'replay',
  watch({ rests }, report) {
    const expected = new Map(rests.map(({ seq, state }) => [seq, state]))
    return {
      after({ seq }, state) {
        const live = expected.get(seq)
        if (live !== undefined && JSON.stringify(sorted(state)) !== JSON.stringify(sorted(JSON.parse(live)))) {
          report(`the engine rested with another state than its journal: ${difference(JSON.parse(live), state)}`, seq)
        }
      },
    }
  },
}

/** Sequence numbers are consecutive, and time never runs backwards. */
export const order: Checker = {
  law: 'order',
  watch: (_history, report) => ({
    before({ seq, at }, state) {
      if (seq !== state.seq + 1) report(`event ${seq} follows event ${state.seq}`, seq)
      if (state.lastAt !== '' && at < state.lastAt) report(`${at} follows ${state.lastAt}`, seq)
    },
  }),
}

/** After a crash with any prefix, the journal loads and the core can continue from it. */
export const prefixes: Checker = {
  law: 'prefixes',
  watch({ scenario, events }, report) {
    const sample = scenario.seed % 47
    const attempt = (what: string, seq: number, job: () => void): void => {
      try {
        job()
      } catch (error) {
        report(`${what}: ${String(error)}`, seq)
      }
    }
    return {
      after({ seq }, state) {
        attempt('decide throws', seq, () => void decide(state))
        if (seq % 47 === sample) attempt('concluding throws', seq, () => conclude(copyOf(state), seq, report))
        if (seq === events.length) attempt('concluding throws', seq, () => conclude(copyOf(state), seq, report))
      },
    }
  },
}

const maxRounds = 500

/** decide changes nothing, and its conclusions terminate. */
function conclude(state: RunState, seq: number, report: (detail: string, seq: number) => void): void {
  const before = JSON.stringify(state)
  decide(state)
  if (JSON.stringify(state) !== before) report('decide changes the state', seq)
  const fold = (fact: Fact): void => void evolve(state, { seq: state.seq + 1, at: state.lastAt, ...copyOf(fact) })
  const [open] = concludeUntilQuiet(state, fold, { rounds: maxRounds }).facts
  if (open) report(`decide concludes for ever, last: ${open.type}`, seq)
}

/** An outcome that is delivered again, at once or late, changes nothing and is recorded once. */
export const duplicates: Checker = {
  law: 'duplicates',
  watch({ scenario }, report) {
    const sample = scenario.seed % 23
    const outcomes: Event[] = []
    return {
      before(event, state) {
        if (event.type === 'work.finished' && !state.works[event.id])
          report(`${event.id} is finished once more`, event.seq)
      },
      after(event, state) {
        if (event.type !== 'work.finished' && event.type !== 'work.lost') return
        outcomes.push(event)
        if (outcomes.length % 23 !== sample) return
        const known = new Set(Object.keys(state.works))
        const again = outcomes.slice(-6).filter((outcome) => 'id' in outcome && !known.has(outcome.id))
        const copy = copyOf(state)
        for (const outcome of again) evolve(copy, { ...copyOf(outcome), seq: state.seq, at: state.lastAt })
        if (JSON.stringify(copy) === JSON.stringify(state)) return
        report(
          `delivering ${again.map(({ seq }) => seq).join(', ')} again changes ${difference(state, copy)}`,
          event.seq,
        )
      },
    }
  },
}

/** The indexes in the state agree with the tasks. */
export const indexes: Checker = {
  law: 'indexes',
  watch: (_history, report) => ({
    after({ type, seq }, state) {
      if (!type.startsWith('task.') && type !== 'attempt.failed') return
      const tasks = Object.values(state.tasks)
      const same = (name: 'active' | 'ready', expected: readonly { id: string }[]): void => {
        const [indexed, ids] = [
          state[name].toSorted().join(' '),
          expected
            .map(({ id }) => id)
            .toSorted()
            .join(' '),
        ]
        if (indexed !== ids) report(`\`${name}\` is ${indexed}, not ${ids}`, seq)
      }
      same(
        'active',
        tasks.filter(({ status }) => status === 'doing'),
      )
      same(
        'ready',
        tasks.filter(({ status, dependsOn }) => status === 'todo' && dependsOn.every((id) => isSatisfied(state, id))),
      )
      for (const [status, count] of Object.entries(state.counts)) {
        if (tasks.filter((task) => task.status === status).length !== count)
          report(`${count} tasks are counted as ${status}`, seq)
      }
    },
  }),
}

/** Derived from the tasks alone, not from the index. */
export function isSatisfied(state: RunState, id: string): boolean {
  const task = state.tasks[id]
  if (!task) return false
  if (task.status === 'split') return task.children.every((child) => isSatisfied(state, child))
  return task.status === 'done' || task.status === 'cancelled'
}

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  )
}

function difference(a: object, b: object): string {
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])]
  const text = (value: object, key: string): string =>
    JSON.stringify(sorted(value[key as keyof typeof value])) ?? 'nothing'
  const differ = keys.filter((key) => text(a, key) !== text(b, key))
  return differ.map((key) => `${key}: ${text(a, key).slice(0, 300)} / ${text(b, key).slice(0, 300)}`).join('; ')
}

/**
 * Replay: feeds the inputs of a recorded run through today's code and compares every decision with the recorded one.
 * After a difference the recorded events continue, so that each later decision is compared on its own.
 */
import { concludeUntilQuiet } from '../core/conclude-until-quiet.ts'
import { decide } from '../core/decide.ts'
import { evolve } from '../core/evolve.ts'
import { initialState } from '../core/initial.ts'
import { gapTo, notWanted } from '../core/tasks/under-way.ts'
import type { Event, Fact } from '../model/event.ts'
import type { RunState } from '../model/state.ts'
import { nameOf, type Difference, type Replayed } from '../views/history/replay-text.ts'
import { isOutside, mayBreakOff } from './input.ts'
import { subjectOf } from './subject.ts'
import { createKnown, type Known } from './known.ts'
import { factOf, textOf } from './same.ts'

export interface Mind {
  decide: typeof decide
  evolve: typeof evolve
}

/** The decisions between two inputs. */
interface Stretch {
  end: number
  /** Whether an engine may have died in the middle of it. */
  breaksOff: boolean
  /** Whether today's code decides on a copy of the state that includes facts known to differ. */
  imagined: boolean
}

const mostDifferences = 50

export function replay(events: readonly Event[], mind: Mind = { decide, evolve }): Replayed {
  const player = createPlayer(events, mind)
  while (!player.isOver()) player.step()
  return player.result()
}

function createPlayer(events: readonly Event[], mind: Mind) {
  const state = initialState()
  const known = createKnown()
  const differences: Difference[] = []
  let [at, same, skipped] = [0, 0, 0]

  function advance(): void {
    const event = events[at++]
    if (event === undefined) return
    known.observe(event)
    mind.evolve(state, event)
  }

  function differ(journal: Fact | null, today: Fact | null): void {
    const here = events[at] ?? events.at(-1)
    const fact = journal ?? today
    if (!here || !fact) return
    const alike = journal !== null && today !== null && nameOf(journal) === nameOf(today)
    if (!alike) known.part(fact)
    // Work with the same id is under way now, as the journal describes it, so it is not recorded as reported.
    if (today && !(alike && today.type === 'work.started')) known.record(today)
    differences.push({ seq: here.seq, at: here.at, subject: subjectOf(fact), journal, today })
  }

  /**
   * Today's code decides more than the journal has. Facts that follow only from an earlier difference are not reported.
   */
  function exceed(facts: readonly Fact[], imagined: boolean): void {
    for (const fact of facts) {
      if (imagined) known.record(fact)
      else differ(null, fact)
    }
  }

  /** The next recorded event of this stretch; skips events that cannot be compared. */
  function nextUntil(end: number): Event | null {
    for (;;) {
      const event = at < end ? events[at] : undefined
      if (event === undefined) return null
      if (!known.has(factOf(event))) return event
      skipped++
      advance()
    }
  }

  /** Applies the inputs, then compares all decisions until the next input. */
  function step(): void {
    while (isOutside(events, at)) advance()
    if (at >= events.length) return
    let end = at
    while (end < events.length && !isOutside(events, end)) end++
    const breaksOff = mayBreakOff(events, end)
    while (differences.length < mostDifferences) {
      const { facts, work, seen } = decideHere(state, known, mind)
      const open = facts.length > 0 ? facts : expected(seen, work, known)
      const compare = facts.length > 0 ? compareFacts : compareWork
      if (!compare([...open], { end, breaksOff, imagined: seen !== state })) return
    }
  }

  /** Returns false when the stretch is over. */
  function compareFacts(open: Fact[], { end, breaksOff, imagined }: Stretch): boolean {
    for (let fact = open[0]; fact !== undefined; fact = open[0]) {
      const event = nextUntil(end)
      if (event === null && breaksOff) return false
      if (event === null || subjectOf(event) !== subjectOf(fact)) {
        exceed([fact], imagined)
        return true
      }
      const agrees = textOf(factOf(event)) === textOf(fact)
      if (agrees) same++
      else differ(factOf(event), fact)
      advance()
      if (!agrees) return true
      open.shift()
    }
    return true
  }

  function compareWork(open: Fact[], { end, breaksOff, imagined }: Stretch): boolean {
    const before = at
    for (let event = nextUntil(end); event !== null; event = nextUntil(end)) {
      const key = keyOf(event)
      const found = key === null ? -1 : open.findIndex((fact) => keyOf(fact) === key)
      const [fact] = found < 0 ? [] : open.splice(found, 1)
      if (!fact) break
      if (textOf(factOf(event)) === textOf(fact)) same++
      else differ(factOf(event), fact)
      advance()
    }
    const event = nextUntil(end)
    if (event === null) {
      if (!breaksOff) exceed(open, imagined)
      return false
    }
    const partner = open.findIndex((fact) => subjectOf(fact) === subjectOf(event))
    const [fact = null] = partner < 0 ? [] : open.splice(partner, 1)
    exceed(open, imagined)
    // The rest of the stretch may be a separate step that was decided after this one.
    if (fact === null && at > before) return true
    differ(factOf(event), fact)
    advance()
    return true
  }

  return {
    step,
    isOver: (): boolean => at >= events.length || differences.length >= mostDifferences,
    result: (): Replayed => ({ same, differences, skipped, stopped: at < events.length }),
  }
}

/** Work starts and is cancelled in any order, so it is matched by id. */
const keyOf = (fact: Fact): string | null =>
  fact.type === 'work.started' ? `+${fact.work.id}` : fact.type === 'work.lost' ? `-${fact.id}` : null

function expected(state: RunState, wanted: Parameters<typeof gapTo>[1], known: Known): Fact[] {
  const { surplus, missing } = gapTo(state, wanted)
  const facts: Fact[] = [
    ...surplus.filter(({ kind }) => kind === 'wait').map(({ id }): Fact => ({ type: 'work.lost', id, why: notWanted })),
    ...missing.map((work): Fact => ({ type: 'work.started', work })),
  ]
  return facts.filter((fact) => !known.has(fact))
}

const mostRounds = 200

/** What today's code decides here. Facts that are known to differ are applied only to a copy of the state. */
function decideHere(
  state: RunState,
  known: Known,
  { decide: decideNow, evolve: fold }: Mind,
): ReturnType<typeof decide> & { seen: RunState } {
  const isNews = (fact: Fact): boolean => !known.has(fact)
  const first = decideNow(state)
  if (first.facts.length === 0 || first.facts.some(isNews))
    return { ...first, facts: first.facts.filter(isNews), seen: state }
  const seen = structuredClone(state)
  const { facts, work } = concludeUntilQuiet(
    seen,
    (fact) => fold(seen, { seq: seen.seq + 1, at: seen.lastAt, ...structuredClone(fact) }),
    { decide: decideNow, rounds: mostRounds, until: (concluded) => concluded.some(isNews) },
  )
  return { facts: facts.filter(isNews), work: facts.length > 0 ? [] : work, seen }
}

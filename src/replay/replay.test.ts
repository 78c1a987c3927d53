import { describe, expect, test } from 'vitest'
import { decide } from '../core/decide.ts'
import { evolve } from '../core/evolve.ts'
import { initialState } from '../core/initial.ts'
import type { Event, Fact } from '../model/event.ts'
import type { RunState } from '../model/state.ts'
import { play } from '../simulation/play.ts'
import { simulate } from '../simulation/simulate.ts'
import { isOutside } from './input.ts'
import { replay } from './replay.ts'

const known = new Map<number, readonly Event[]>()
async function historyOf(seed: number): Promise<readonly Event[]> {
  const history = known.get(seed) ?? (await simulate(seed, { checkers: [] })).history
  known.set(seed, history)
  return history
}
const decided = (events: readonly Event[]): Event[] => events.filter((_event, at) => !isOutside(events, at))
const foldUntil = (events: readonly Event[], seq: number): RunState =>
  structuredClone(events.filter((event) => event.seq < seq)).reduce(evolve, initialState())
const nothingDiffers = (same: number) => ({ same, differences: [], skipped: 0, stopped: false })

/** Many failures, four parallel tasks, no input from outside. */
const troubled = async (): Promise<readonly Event[]> => {
  const bad = (task: string, turn: string) => ({ files: { [`${task}.txt`]: 'bad', [`${task}.log`]: turn } })
  const { history } = await play({
    plan: ['T001', 'T002', 'T003', 'T004', 'T005'].map((id) => ({ id })),
    config: { parallel: 2, limits: { fixCycles: 1, attempts: 2, splitDepth: 0, goalIterations: 0 } },
    turn: (work) =>
      work.task !== null && work.role === 'coder' && ['T001', 'T003'].includes(work.task)
        ? bad(work.task, work.id)
        : undefined,
  })
  return history
}

describe('the same code decides the same (F17)', () => {
  test('in every history of more than a hundred worlds', { timeout: 600_000 }, async () => {
    const differing: unknown[] = []
    let decisions = 0
    for (let seed = 1; seed <= 120; seed++) {
      const history = await historyOf(seed)
      const replayed = replay(history)
      decisions += replayed.same
      if (replayed.differences.length > 0 || replayed.same !== decided(history).length)
        differing.push({ seed, ...replayed })
    }
    expect(differing).toEqual([])
    expect(decisions).toBeGreaterThan(10_000)
  })

  test('wherever an engine died, also when the next one took over', async () => {
    const seeds = [3, 11, 27, 42]
    for (const [place, seed] of seeds.entries()) {
      const history = await historyOf(seed)
      // Each history is replayed from its start for each length: every fourth length, another fourth for each seed.
      for (let length = 1 + place; length < history.length; length += seeds.length) {
        const prefix = history.slice(0, length)
        const { seq = 0, at = '' } = prefix.at(-1) ?? {}
        const word: Event = { type: 'limits.changed', limits: {}, seq: seq + 1, at }
        const again: Event = { type: 'run.resumed', limits: {}, seq: seq + 2, at }
        for (const events of [prefix, [...prefix, word, again]])
          expect(replay(events)).toEqual(nothingDiffers(decided(prefix).length))
      }
    }
  })
})

/** The attempts that ended because the same failure came again and again, and not for lack of a fix. */
function repeatedIn(history: readonly Event[]): Set<number> {
  const found = new Set<number>()
  let state = initialState()
  for (const event of history) {
    if (event.type === 'attempt.failed') {
      const { fingerprint, kind, cause } = event.failure
      const task = state.tasks[event.task]
      const before = [task?.attempt, ...(task?.racers ?? [])].find((attempt) => attempt?.n === event.attempt)
      const isSame = fingerprint !== null && before?.failure?.fingerprint === fingerprint
      const times = (before?.repeats ?? 1) + 1
      if (isSame && !['unfinished', 'conflict'].includes(kind) && times >= (cause ? 2 : 3)) found.add(event.seq)
    }
    state = evolve(state, event)
  }
  return found
}

describe('another policy shows at the right place (F17)', () => {
  test('one more fix: wherever an attempt was given up for lack of one', async () => {
    const generous = (state: RunState): ReturnType<typeof decide> => {
      const { limits } = state.config
      return decide({
        ...state,
        config: { ...state.config, limits: { ...limits, fixCycles: (limits.fixCycles ?? 0) + 1 } },
      })
    }
    let compared = 0
    for (let seed = 1; seed <= 120; seed++) {
      const history = await historyOf(seed)
      const repeated = repeatedIn(history)
      const given = history.filter(
        (event) =>
          event.type === 'attempt.failed'
          && (['check', 'test', 'unfinished', 'tamper'].includes(event.failure.kind)
            || event.failure.summary.startsWith('its change conflicts')),
      )
      // An attempt that ended for both reasons still ends; today it ends before its last fix, and says so.
      const { differences: all } = replay(history, { decide: generous, evolve })
      const differences = all.filter(({ today }) => today?.type !== 'attempt.failed' || today.repeated === undefined)
      // A fix on a merged tree first moves the workspace there.
      const isMove = (fact: Fact | null): boolean => fact?.type === 'work.started' && /\/move[\d.]+$/.test(fact.work.id)
      const typeOf = (fact: Fact | null): string | undefined => (isMove(fact) ? 'attempt.fixing' : fact?.type)
      const seen = new Set(differences.map(({ seq }) => seq))
      const expected = given.filter(({ seq }) => !repeated.has(seq) || seen.has(seq))
      expect(
        differences.map(({ seq, journal, today }) => [seq, journal?.type, typeOf(today)]),
        `seed ${seed}`,
      ).toEqual(expected.slice(0, 50).map(({ seq }) => [seq, 'attempt.failed', 'attempt.fixing']))
      compared += differences.length
    }
    expect(compared).toBeGreaterThan(50)
  })

  test('another rule for attempts, in the fold', async () => {
    const forgetful: typeof evolve = (state, event) => {
      evolve(state, event)
      const task = event.type === 'task.started' ? state.tasks[event.task] : undefined
      if (task) task.attemptsLeft++
      return state
    }
    const history = await troubled()
    const last = history.find(
      (event) => event.type === 'attempt.failed' && event.next === 'fail',
    ) as Event<'attempt.failed'>
    const [first] = replay(history, { decide, evolve: forgetful }).differences
    expect(first).toMatchObject({
      seq: last.seq,
      subject: last.task,
      journal: { type: 'attempt.failed', next: 'fail' },
      today: { type: 'attempt.failed', next: 'retry' },
    })
  })

  test('no retry of what crashed: the turn that only the record has', async () => {
    const { history } = await play({
      plan: [{ id: 'T001' }, { id: 'T002' }],
      config: { review: false },
      turn: ({ id }) =>
        id === 'T001/a1/implement'
          ? { answer: { status: 'error', error: { kind: 'crash', message: 'gone', resetsAt: null } } }
          : undefined,
    })
    const impatient = (state: RunState): ReturnType<typeof decide> => {
      const proposal = decide(state)
      return { ...proposal, work: proposal.work.filter(({ id }) => !id.endsWith('.retry')) }
    }
    const { differences, skipped } = replay(history, { decide: impatient, evolve })
    const retry = history.find((event) => event.type === 'work.started' && event.work.id === 'T001/a1/implement.retry')
    expect(differences).toMatchObject([
      { seq: retry?.seq, subject: 'T001', journal: { work: { id: 'T001/a1/implement.retry' } }, today: null },
    ])
    // The rest of that attempt follows from the retry.
    expect(skipped).toBeGreaterThan(0)
  })

  test('one more at once: the first attempt that could have begun earlier', async () => {
    const wider = (state: RunState): ReturnType<typeof decide> =>
      decide({ ...state, config: { ...state.config, parallel: state.config.parallel + 1 } })
    const history = await troubled()
    const [first] = replay(history, { decide: wider, evolve }).differences
    expect(first).toMatchObject({ subject: 'T003', today: { type: 'task.started', task: 'T003' } })
    expect(foldUntil(history, first?.seq ?? 0)).toMatchObject({
      active: ['T001', 'T002'],
      ready: expect.arrayContaining(['T003']) as string[],
    })
  })

  test('work with changed fields differs once for each piece', async () => {
    const hurried = (state: RunState): ReturnType<typeof decide> => {
      const proposal = decide(state)
      return {
        ...proposal,
        work: proposal.work.map((work) => (work.kind === 'check' ? { ...work, timeoutMs: 1 } : work)),
      }
    }
    const history = await troubled()
    const checks = history.filter((event) => event.type === 'work.started' && event.work.kind === 'check')
    const { differences, same } = replay(history, { decide: hurried, evolve })
    expect(differences.map(({ seq }) => seq)).toEqual(checks.map(({ seq }) => seq))
    expect(same).toBe(decided(history).length - checks.length)
  })

  test('a wait that is not wanted any more is called off only in the record, or only today', async () => {
    const { history } = await play({ plan: [{ id: 'T001' }], config: { review: false, limits: { timeMinutes: 60 } } })
    const deadline = history.find((event) => event.type === 'work.lost')
    const clinging = (state: RunState): ReturnType<typeof decide> => {
      const proposal = decide(state)
      return proposal.facts.length > 0
        ? proposal
        : {
            ...proposal,
            work: [
              ...proposal.work,
              ...Object.values(state.works).flatMap(({ work }) =>
                work.kind === 'wait' && !proposal.work.some(({ id }) => id === work.id) ? [work] : [],
              ),
            ],
          }
    }
    expect(replay(history, { decide: clinging, evolve }).differences[0]).toMatchObject({
      seq: deadline?.seq,
      subject: 'limit',
      journal: { type: 'work.lost' },
      today: null,
    })
    const hasty = (state: RunState): ReturnType<typeof decide> => {
      const proposal = decide(state)
      return { ...proposal, work: proposal.work.filter(({ kind }) => kind !== 'wait') }
    }
    expect(replay(history, { decide: hasty, evolve }).differences[0]).toMatchObject({
      subject: 'limit',
      journal: { type: 'work.started' },
      today: null,
    })
  })
})

test("a fact that only today's code has is reported once, and everything else is compared", async () => {
  const planted: Fact = {
    type: 'finding.raised',
    severity: 'WARNING',
    title: 'planted',
    detail: '',
    task: null,
    origin: 'plan/planted',
  }
  const talkative = (state: RunState): ReturnType<typeof decide> =>
    state.stage === 'execute' && !state.findings.some(({ origin }) => origin === planted.origin)
      ? { facts: [planted], work: [] }
      : decide(state)
  const history = await troubled()
  const { differences, same } = replay(history, { decide: talkative, evolve })
  expect(differences).toMatchObject([{ subject: 'plan', journal: null, today: planted }])
  expect(same).toBe(decided(history).length)
})

test("a record that has nothing in common with today's code is not looked at for ever", async () => {
  let history = await historyOf(1)
  for (let seed = 2; decided(history).length < 200; seed++) history = await historyOf(seed)
  const lazy = (): ReturnType<typeof decide> => ({ facts: [], work: [] })
  const { differences, same } = replay(history, { decide: lazy, evolve })
  expect(same).toBe(0)
  expect(differences.length).toBeGreaterThan(3)
  const other = (state: RunState): ReturnType<typeof decide> => {
    const { facts, work } = decide(state)
    return { facts, work: work.map((item) => ({ ...item, planted: true })) }
  }
  expect(replay(history, { decide: other, evolve })).toMatchObject({ differences: { length: 50 }, stopped: true })
})

test('the record is not changed', async () => {
  const history = await historyOf(2326)
  const before = JSON.stringify(history)
  replay(history)
  expect(JSON.stringify(history)).toBe(before)
})

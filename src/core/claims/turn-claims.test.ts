import { expect, test } from 'vitest'
import { baseConfig, coded, ok, play, verdict, type World } from '../../../test/kit/play.ts'
import type { Event, Fact } from '../../model/event.ts'
import type { RunState } from '../../model/state.ts'
import type { TaskSpec } from '../../model/task.ts'
import { decide } from '../decide.ts'
import { evolve } from '../evolve.ts'
import { initialState } from '../initial.ts'
import { createTurnClaims, type TurnClaims } from './turn-claims.ts'

function read(events: readonly Event[]): { state: RunState; claims: TurnClaims } {
  const [state, claims] = [initialState(), createTurnClaims()]
  for (const event of structuredClone(events)) claims.add(event, evolve(state, event))
  return { state, claims }
}

const idsOf = (events: readonly Event[]): string[] => {
  const { state, claims } = read(events)
  return claims.answers(state).map(({ work: { id } }) => id)
}

const lacking = (events: readonly Event[]): string[] => {
  const { state, claims } = read(events)
  return claims.unbacked(state).map(({ id }) => id)
}

/** The journal up to the event that starts the turn. */
function until(turn: string, world: World = () => undefined): Event[] {
  const { events } = play(baseConfig({ parallel: 1 }), world)
  return events.slice(0, events.findIndex((event) => event.type === 'work.started' && event.work.id === turn) + 1)
}

const forged = (events: Event[], ...facts: Fact[]): Event[] => [
  ...events,
  ...facts.map((fact, index): Event => ({ ...fact, seq: events.length + index + 1, at: events.at(-1)?.at ?? '' })),
]

test('the answers of the plan, of done tasks and of the attempt under way decide; those of failed attempts do not', () => {
  const world: World = (work) => (work.id === 'T001/a1/verify0' ? verdict(40) : undefined)
  expect(idsOf(until('T002/a1/verify0', world))).toEqual([
    'plan/r0',
    'plan/r0/review',
    'T001/a2/implement',
    'T002/a1/implement',
    'T002/a1/test0',
  ])
})

test('of a done task only the successful turn counts, and its result does not', () => {
  const { state, claims } = read(play(baseConfig(), () => undefined).events)
  const done = claims.answers(state).filter(({ landed }) => landed)
  expect(done.map(({ work, result }) => [work.id, result])).toEqual([
    ['T001/a1/implement', null],
    ['T002/a1/implement', null],
  ])
})

test('an honest journal lacks nothing, wherever it is cut', () => {
  const world: World = (work) =>
    work.id === 'plan/r0/review' || work.id === 'T001/a1/verify0' ? verdict(60) : undefined
  const { events } = play(baseConfig(), world)
  const claims = createTurnClaims()
  const state = initialState()
  for (const event of structuredClone(events)) {
    claims.add(event, evolve(state, event))
    expect(claims.unbacked(state)).toEqual([])
  }
})

const approved = {
  score: 99,
  level: 'none',
  approved: true,
  summary: '',
  issues: [],
  missing: [],
  feedback: '',
} as const
const given = (subject: Event<'verdict.given'>['subject']): Fact => ({
  type: 'verdict.given',
  subject,
  verdict: { ...approved, issues: [], missing: [] },
})
const finished = (task: string): Fact => ({
  type: 'task.finished',
  task,
  status: 'done',
  reason: null,
  block: null,
  evidence: [],
  commit: 'c9',
  summary: '',
})

test.each<[string, string, Fact[], string[]]>([
  [
    'a verdict on a task',
    'T001/a1/verify0',
    [given({ kind: 'task', task: 'T001', attempt: 1, round: 0 })],
    ['T001/a1/verify0'],
  ],
  [
    'a verdict that the answer does not give',
    'T001/a1/verify0',
    [
      { type: 'work.finished', id: 'T001/a1/verify0', outcome: verdict(20) },
      given({ kind: 'task', task: 'T001', attempt: 1, round: 0 }),
    ],
    ['T001/a1/verify0'],
  ],
  ['a verdict on the plan', 'plan/r0/review', [given({ kind: 'plan', revision: 0 })], ['plan/r0/review']],
  ['a verdict on the goal', 'gate/g1/verify', [given({ kind: 'goal', round: 1 })], ['gate/g1/verify']],
  [
    'an accepted plan',
    'plan/r0',
    [{ type: 'plan.accepted', revision: 0, score: null, why: 'unreviewed' }],
    ['plan/r0'],
  ],
  ['a task that is done', 'T001/a1/implement', [finished('T001')], ['T001/done']],
  [
    'a task closed by a source that the run does not have',
    'T001/a1/implement',
    [{ ...finished('T001'), by: 'source' } as Fact],
    ['T001/done'],
  ],
])('%s without its turn is found', (_, turn, facts, ids) => {
  expect(lacking(forged(until(turn), ...facts))).toEqual(ids)
})

test('finds tasks that are not in the plan, and planned tasks that are missing', () => {
  const events = until('plan/r0/review')
  const accepted: Fact = { type: 'plan.accepted', revision: 0, score: null, why: 'unreviewed' }
  const task: TaskSpec = {
    id: 'X',
    title: 'X',
    description: '',
    complexity: 'simple',
    type: null,
    dependsOn: [],
    criteria: [],
    checks: [],
    files: [],
    priority: 1,
    parent: null,
    depth: 0,
  }
  const added: Fact = { type: 'task.added', origin: 'plan/r0', task }
  expect(lacking(forged(events, accepted, added))).toEqual(['plan/r0'])
  expect(lacking(forged(events, accepted, { type: 'stage.entered', stage: 'execute', conclusion: null }))).toEqual([
    'plan/r0',
  ])
})

test('a fork needs no turns of the run it was forked from', () => {
  const { events } = play(baseConfig(), () => undefined)
  const past = events.slice(0, events.findIndex(({ type }) => type === 'task.finished') + 1)
  const fork = forged(past, { type: 'run.forked', from: { run: '001-x', seq: past.length }, config: baseConfig() })
  expect(idsOf(fork)).toEqual([])
})

const revoked = (id: string, seq = 1): Fact => ({ type: 'work.lost', id, why: 'its folder is missing', revokes: seq })

test('an attempt whose answer is revoked restarts under another number and costs no attempt', () => {
  const before = until('T001/a1/verify0')
  const left = before.slice().reduce(evolve, initialState()).tasks['T001']?.attemptsLeft ?? 0
  const state = structuredClone(forged(before, revoked('T001/a1/implement'))).reduce(evolve, initialState())
  expect(state.tasks['T001']).toMatchObject({ status: 'todo', attempt: null, attempts: 1, attemptsLeft: left + 1 })
  expect(decide(state).facts).toContainEqual(
    expect.objectContaining({ type: 'task.started', task: 'T001', attempt: 2 }),
  )
})

test('a rejected plan is made again, in a new folder', () => {
  const state = structuredClone(forged(until('plan/r0/review'), revoked('plan/r0'))).reduce(evolve, initialState())
  expect(state.ledger['plan']).toBeUndefined()
  expect(state.starts['plan/r0']).toBe(1)
})

test.each<[string, Event[], string]>([
  ['an accepted plan', until('T001/a1/implement'), 'plan/r0'],
  ['a task that is done', until('T002/a1/implement'), 'T001/a1/implement'],
])('%s that is revoked stops the run with one line', (_, events, id) => {
  const played = play(baseConfig(), () => coded(), { from: forged(events, revoked(id, 7)) })
  expect(played.state).toMatchObject({
    status: 'paused',
    pause: {
      kind: 'blocked',
      detail: 'event 7 of the journal is not trusted: its folder is missing',
      hint: 'Start again from before that event: looper fork 001-x --at 6',
    },
  })
  expect(played.resume().state.status).toBe('paused')
})

test('the verdict on the goal is asked for again', () => {
  const before = forged(
    until('gate/g1/verify'),
    { type: 'work.finished', id: 'gate/g1/verify', outcome: ok({ ...approved }) },
    given({ kind: 'goal', round: 1 }),
  )
  const state = structuredClone(forged(before, { type: 'run.resumed', limits: {} }, revoked('gate/g1/verify'))).reduce(
    evolve,
    initialState(),
  )
  expect(state.gate).toMatchObject({ verdict: null, checks: [] })
  expect(lacking(forged(before, { type: 'run.resumed', limits: {} }, revoked('gate/g1/verify')))).toEqual([])
})

const aborted: Fact = { type: 'run.ended', status: 'aborted', reason: 'aborted by the user' }
const asked = (how: 'pause' | 'stop' | 'abort'): Fact => ({ type: 'stop.requested', how })
const again: Fact = { type: 'run.resumed', limits: {} }

test.each<[string, Fact[], string[]]>([
  ['on request', [asked('abort'), aborted], []],
  ['without a request', [aborted], ['run/ended']],
  ['after a request to stop', [asked('stop'), aborted], ['run/ended']],
  ['after a request that a resume withdrew', [asked('abort'), again, aborted], ['run/ended']],
  ['without a request, and resumed since', [aborted, again], []],
])('a run that is aborted %s lacks %j', (_name, facts, lacks) => {
  expect(lacking(forged(until('T001/a1/implement'), ...facts))).toEqual(lacks)
})

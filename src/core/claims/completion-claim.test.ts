import { expect, test } from 'vitest'
import { baseConfig, checkExit, play, type World } from '../../../test/kit/play.ts'
import type { RunConfig } from '../../model/config.ts'
import type { Event, Fact, StageName } from '../../model/event.ts'
import { evolve } from '../evolve.ts'
import { initialState } from '../initial.ts'
import { createTurnClaims } from './turn-claims.ts'

const reporting: Fact = { type: 'stage.entered', stage: 'report', conclusion: { status: 'completed', reason: null } }
const ended: Fact = { type: 'run.ended', status: 'completed', reason: null }

/** The missing evidence when these facts are appended after the first event that matches. */
function lacking(events: readonly Event[], isLast: (event: Event) => boolean, ...facts: Fact[]): string[] {
  const past = events.slice(0, events.findIndex(isLast) + 1)
  const at = past.at(-1)?.at ?? ''
  const [state, claims] = [initialState(), createTurnClaims()]
  const forged = facts.map((fact, index): Event => ({ ...fact, seq: past.length + index + 1, at }))
  for (const event of structuredClone([...past, ...forged])) claims.add(event, evolve(state, event))
  return claims
    .unbacked(state)
    .filter(({ id }) => id === 'run/ended')
    .map(({ why }) => why)
}

const starting =
  (id: string) =>
  (event: Event): boolean =>
    event.type === 'work.started' && event.work.id === id
const entering =
  (stage: StageName) =>
  (event: Event): boolean =>
    event.type === 'stage.entered' && event.stage === stage
const said = (what: string): string[] => [`the run is recorded as completed, but ${what}`]
const played = (changes: Partial<RunConfig> = {}, world: World = () => undefined): Event[] =>
  play(baseConfig({ parallel: 1, ...changes }), world).events

test.each<[string, (event: Event) => boolean, Fact[], string]>([
  ['with no conclusion', starting('gate/g1/verify'), [ended], 'its last stage did not end that way'],
  ['with tasks open', starting('T001/a1/implement'), [reporting, ended], 'T001 is not done'],
  ['before its goal was verified', starting('gate/g1/verify'), [reporting, ended], 'its goal was not verified'],
])('a run that ends %s is not completed', (_, isLast, facts, what) => {
  expect(lacking(played(), isLast, ...facts)).toEqual(said(what))
})

test('a run that ends before its final checks is not completed', () => {
  expect(lacking(played({ review: false }), entering('gate'), reporting, ended)).toEqual(
    said('the check "test" did not run at its end'),
  )
})

test('a run whose final check was red is not completed', () => {
  const world: World = ({ id }) => (id.startsWith('gate/g1/check') ? checkExit(1) : undefined)
  const events = played({ review: false }, world)
  const isFinal = (event: Event): boolean => event.type === 'check.finished' && event.task === null
  expect(lacking(events, isFinal, reporting, ended)).toEqual(said('the check "test" was red at its end'))
})

test.each<[string, Partial<RunConfig>]>([
  ['reviews', {}],
  ['no reviews', { review: false }],
  ['no checks', { checks: [] }],
  ['neither', { checks: [], review: false }],
  ['a backlog', { workflow: 'backlog' }],
])('an honest run with %s lacks nothing', (_, changes) => {
  const events = played(changes)
  expect(events.at(-1)).toMatchObject({ type: 'run.ended', status: 'completed' })
  expect(lacking(events, ({ type }) => type === 'run.ended')).toEqual([])
})

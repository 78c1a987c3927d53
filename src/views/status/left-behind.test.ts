import { expect, test } from 'vitest'
import { sampleState } from '../../../test/kit/state.ts'
import { leftText } from './left-behind.ts'
import type { LeftBehind } from './liveness.ts'
import { nextSteps } from './next-steps.ts'
import { runRow } from './runs.ts'
import { statusText } from './status-text.ts'
import { statusView } from './status.ts'

const agent = (task: number, pid: number) => ({ turn: `T00${task}/a1/implement`, pid })
const left = (more: Partial<LeftBehind>): LeftBehind => ({ agents: [], ended: [], kept: true, ...more })

test.each([
  ['', left({})],
  ['1 agent still runs (T001/a1/implement pid 7): the keeper enforces the limits', left({ agents: [agent(1, 7)] })],
  [
    '2 agents still run (T001/a1/implement pid 7, T002/a1/implement pid 8): nothing enforces the limits',
    left({ agents: [agent(1, 7), agent(2, 8)], kept: false }),
  ],
  [
    'ended by the keeper: T001/a1/implement (timeout)',
    left({ ended: [{ turn: 'T001/a1/implement', why: 'timeout' }] }),
  ],
])('%j', (text, found) => expect(leftText(found)).toBe(text))

test('of many agents only some are named', () => {
  const agents = Array.from({ length: 9 }, (_, index) => agent(index + 1, index + 10))
  expect(leftText(left({ agents }))).toContain('T004/a1/implement pid 13 and 5 more')
})

test('every view of a crashed run shows them, and how to end them', () => {
  const state = sampleState({ status: 'running' })
  const liveness = { live: false, left: left({ agents: [agent(1, 7)] }) }
  expect(statusView(state, liveness)).toMatchObject({ status: 'crashed', agents: [agent(1, 7)] })
  expect(runRow(state, liveness)).toMatchObject({ status: 'crashed', agents: [agent(1, 7)] })
  expect(statusText(state, { ...liveness, now: state.lastAt })).toContain('1 agent still runs')
  expect(nextSteps(state, liveness).map(({ command }) => command)).toContain(`looper stop ${state.run}`)
  expect(nextSteps(state, { live: false }).map(({ command }) => command)).not.toContain(`looper stop ${state.run}`)
  expect(statusView(state, { live: true }).agents).toEqual([])
})

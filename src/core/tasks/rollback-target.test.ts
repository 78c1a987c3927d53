import { expect, test } from 'vitest'
import { baseConfig, plan, play } from '../../../test/kit/play.ts'
import type { Landing } from '../../model/convergence.ts'
import { receive } from '../commands.ts'
import { brokenIn, rollbackTargetBefore, takenBackLater } from './rollback-target.ts'

/** `-T001` reverts T001. */
const landed = (...tasks: string[]): Landing[] =>
  tasks.map((name, index): Landing => ({
    task: name.replace('-', ''),
    commit: `c${index + 1}`,
    wave: 1,
    met: 0,
    ...(name.startsWith('-') ? { revert: true } : {}),
  }))

test.each<[string[], number, string | null]>([
  [['T001', 'T002', '-T001', 'T003'], 1, 'T001'],
  [['T001', 'T002', '-T001', 'T003'], 2, 'T001'],
  [['T001', 'T002', '-T001', 'T003'], 3, null],
  [['T001', 'T002', '-T001', 'T003'], 0, null],
  [['T001', '-T001', 'T001'], 1, 'T001'],
  [['T001', '-T001', 'T001', '-T001'], 2, null],
  [['T001', '-T001', 'T001', '-T001'], 3, 'T001'],
])('E8: %j with the first %i landings contains a change that was reverted later: %s', (names, kept, task) => {
  expect(takenBackLater(landed(...names), kept)?.task ?? null).toBe(task)
})

test('E8: a revert that names its commit undoes that commit, even when its task has landed again', () => {
  const [first, second, revert] = landed('T001', 'T001', '-T001') as [Landing, Landing, Landing]
  const named: Landing[] = [first, second, { ...revert, reverts: first.commit }]
  expect([1, 2, 3].map((kept) => takenBackLater(named, kept)?.commit ?? null)).toEqual(['c1', 'c1', null])
  expect([1, 2, 3].map((kept) => takenBackLater([first, second, revert], kept)?.commit ?? null)).toEqual([
    null,
    'c2',
    null,
  ])
})

test.each<[string[], number, number]>([
  [['T001', 'T002', 'T003'], 3, 2],
  [['T001', 'T002', 'T003'], 1, 0],
  [['T001', 'T002', '-T002', 'T003'], 3, 1],
  [['T001', '-T001'], 2, 0],
  [['T001', 'T002', '-T001', '-T002'], 4, 0],
])('E8: %j before landing %i leaves the first %i', (names, index, kept) => {
  expect(rollbackTargetBefore(landed(...names), index)).toBe(kept)
})

test('E8: the state at which a run stopped is no rollback target', () => {
  const { state } = play(baseConfig({ review: false, parallel: 1 }), (work) =>
    work.kind === 'turn' && work.purpose === 'plan' ? plan('a', 'b', 'c') : undefined,
  )
  expect(state.landings).toHaveLength(3)
  state.convergence.next = { do: 'escalate', from: 'REGRESSING', evidence: '', broken: 2 }
  expect([1, 2, 3].map((kept) => brokenIn(state, kept)?.task ?? null)).toEqual([null, 'b', 'b'])
  expect(receive(state, { id: 'x', do: 'rollback', to: 'C2' })).toEqual({
    refused: expect.stringContaining('b, which broke something'),
  })
  expect(receive(state, { id: 'x', do: 'rollback', to: null })).toMatchObject({ fact: { checkpoint: 'C1' } })
})

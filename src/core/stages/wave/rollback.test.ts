import { describe, expect, test } from 'vitest'
import { limits, play } from '../../../../test/kit/play.ts'
import { config, ids, planned } from '../../../../test/kit/waves.ts'
import type { RunState } from '../../../model/state.ts'
import { receive } from '../../commands.ts'

describe('E8: a person rolls back', () => {
  const resting = (): ReturnType<typeof play> => play(config(limits({ turns: 3 })), planned(ids(4)))
  const ask = (state: RunState, to: string | null) => receive(state, { id: 'x', do: 'rollback', to })

  test.each([
    [null, 'commit of T001/a1/merge0', 'C1'],
    ['C1', 'commit of T001/a1/merge0', 'C1'],
    ['base', 'c0', null],
  ])('to %s', (to, commit, checkpoint) => {
    expect(ask(resting().state, to)).toEqual({ fact: { type: 'rollback.requested', to: commit, checkpoint } })
  })

  test.each(['C9', 'deadbeef', 'HEAD', '--all'])('not to %s', (to) => {
    expect(ask(resting().state, to)).toEqual({ refused: expect.stringContaining('there are C1, C2, base') })
  })

  test('undone tasks are done again, and their prompts contain the earlier approach', () => {
    const played = resting()
    const asked = ask(played.state, 'C1')
    if ('fact' in asked) played.record(asked.fact)
    played.resume({ turns: null })
    expect(played.of('rolled.back')).toMatchObject([
      { why: 'person', checkpoint: 'C1', tasks: ['T002'], kept: expect.any(String) },
    ])
    expect(played.state.status).toBe('completed')
    expect(played.state.tasks['T002']).toMatchObject({ status: 'done', attempts: 2 })
    expect(played.state.antiPatterns).toMatchObject([{ evidence: '', why: 'a person rolled it back' }])
    expect(
      played.of('checkpoint.made').map(({ checkpoint }) => checkpoint.id),
      'no id is used twice',
    ).toEqual(['C1', 'C2', 'C3', 'C4', 'C5'])
  })
})

test('E8: a rollback that found the branch at another commit is retried after a resume', () => {
  let elsewhere = true
  const world = planned(ids(3), (work) =>
    work.kind === 'rollback' && elsewhere ? { kind: 'rollback', status: 'moved', kept: null } : undefined,
  )
  const played = play(config(limits({ turns: 3 })), world)
  const asked = receive(played.state, { id: 'x', do: 'rollback', to: 'C1' })
  if ('fact' in asked) played.record(asked.fact)
  expect(played.resume({ turns: null }).state).toMatchObject({
    status: 'paused',
    reason: expect.stringContaining('moved by another process'),
  })
  elsewhere = false
  expect(played.resume().state.status).toBe('completed')
})

import { expect, test } from 'vitest'
import { coded, play, verdict, type World } from '../../../../test/kit/play.ts'
import { config, planned } from '../../../../test/kit/waves.ts'

test('E6: the bootstrap runs first, alone, and becomes the first checkpoint', () => {
  const played = play(
    config({ workflow: 'meta', review: true, parallel: 4 }),
    planned(['T001', 'T002'], (work) => (work.kind === 'turn' && work.role === 'supervisor' ? verdict(90) : undefined)),
    { stages: ['plan', 'scaffold', 'execute', 'gate', 'report'] },
  )
  const first = played
    .of('work.started')
    .flatMap(({ work }) => (work.kind === 'turn' && work.role === 'coder' ? [`${work.task} ${work.purpose}`] : []))
  expect(first).toEqual(['T000 scaffold', 'T001 implement', 'T002 implement'])
  expect(played.state.checkpoints[0]).toMatchObject({ id: 'C1', commit: 'commit of T000/a1/merge0' })
  expect(played.state.status).toBe('completed')
})

const decision = {
  title: 'one file each',
  context: '',
  choice: '',
  alternatives: [],
  dependsOn: [],
  invalidatedIf: null,
}
test.each(['worktree', 'in-place'] as const)(
  'a scaffold that needs no change is skipped, and the tasks follow: %s',
  (mode) => {
    const nothing: World = (work) => {
      if (work.kind === 'inspect' && work.task === 'T000')
        return { kind: 'inspect', tree: 'c0', files: [], fileCount: 0, insertions: 0, deletions: 0, restored: false }
      if (work.kind !== 'turn') return undefined
      if (work.role === 'supervisor') return verdict(90)
      return work.task === 'T000' ? coded({ summary: 'no two tasks share a file', decisions: [decision] }) : undefined
    }
    const played = play(
      config({ workflow: 'meta', review: true, workspace: { mode, setup: [], copy: [], commit: true } }),
      planned(['T001', 'T002'], nothing),
      { stages: ['plan', 'scaffold', 'execute', 'gate', 'report'] },
    )
    const turns = played
      .of('work.started')
      .flatMap(({ work }) => (work.kind === 'turn' ? [`${work.task} ${work.purpose}`] : []))
    expect(turns.filter((turn) => turn.startsWith('T000'))).toEqual(['T000 scaffold'])
    expect(played.state.tasks['T000']).toMatchObject({
      status: 'cancelled',
      reason: 'the agent found nothing to do: no two tasks share a file',
      commit: null,
    })
    expect(played.of('decision.recorded')).toMatchObject([{ decision: { task: 'T000' } }])
    expect(played.state.tasks['T001']?.status).toBe('done')
    expect(played.state.status).toBe('completed')
  },
)

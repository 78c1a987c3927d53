import { expect, test } from 'vitest'
import { baseConfig, limits, planOf, play, type Played, type World } from '../../../../test/kit/play.ts'
import type { InspectOutcome, SubmoduleWork } from '../../../model/work.ts'
import { attentionText } from '../../../views/status/attention.ts'
import { lineFor } from '../../../views/live/lines.ts'
import { reportMd } from '../../../views/report/report-md.ts'

const config = baseConfig({ review: false, ...limits({ attempts: 1, splitDepth: 0, goalIterations: 0 }) })

/** A run of one task; its inspections return the entries of `found` in order, the last one repeatedly. */
function inspecting(...found: Partial<InspectOutcome>[]): Played {
  const world: World = (work) => {
    if (work.kind === 'turn' && work.role === 'planner') return planOf([{ id: 'T001' }])
    if (work.kind !== 'inspect') return undefined
    const more = found.length > 1 ? found.shift() : found[0]
    const change = { files: ['a'], fileCount: 1, insertions: 1, deletions: 0 }
    return { kind: 'inspect', tree: 't1', ...change, restored: false, ...more }
  }
  return play(config, world)
}

const edits = (path: string, kept: string | null): SubmoduleWork => ({ kind: 'edits', path, kept })
const kept =
  'the changes inside the submodule `libs/x` are not committed there and will not land; '
  + "they are kept as refs/looper/r/T001/a1-left-1 in the checkout's copy of the submodule"

test('edits inside a submodule are a warning in the journal, the lines, the report and the summary', () => {
  const played = inspecting({ submodules: [edits('libs/x', 'refs/looper/r/T001/a1-left-1'), edits('libs/y', null)] })
  const [raised, ...more] = played.of('finding.raised')
  expect(more).toEqual([])
  expect(raised).toMatchObject({ severity: 'WARNING', task: 'T001', title: 'edits inside a submodule will not land' })
  const notKept = expect.stringMatching(/`libs\/y`.*they are not kept, because they may hold a known secret$/)
  expect(raised?.detail.split('\n')).toEqual([kept, notKept])
  expect(played.state.status).toBe('completed')
  expect(lineFor(raised as never, played.state)).toContain(
    'WARNING edits inside a submodule will not land: the changes inside the submodule `libs/x`',
  )
  expect(reportMd(played.state, { live: false })).toContain('refs/looper/r/T001/a1-left-1')
  expect(attentionText(played.state)).toContain('1 warning (T001)')
})

test('edits in a submodule that the checkout has no copy of are kept in the repository', () => {
  const submodules = [
    { ...edits('libs/x', 'refs/looper/r/T001/a1-submodule-left-1'), noCopy: true as const },
    { ...edits('libs/y', null), noCopy: true as const },
  ]
  const [raised] = inspecting({ submodules }).of('finding.raised')
  expect(raised?.detail.split('\n')).toEqual([
    expect.stringMatching(/`libs\/x`.*they are kept as refs\/looper\/r\/T001\/a1-submodule-left-1 in your repository$/),
    expect.stringMatching(
      /`libs\/y`.*they are not kept, because Looper could not read all of them, or they may hold a known secret$/,
    ),
  ])
})

test('an attempt that changed nothing else fails and says why', () => {
  const submodules = [edits('libs/x', 'refs/looper/r/T001/a1-left-1')]
  const { state, of } = inspecting({ fileCount: 0, files: [], submodules })
  expect(of('attempt.failed')).toMatchObject([
    {
      failure: {
        kind: 'no-change',
        summary: expect.stringContaining('inside a submodule'),
        detail: expect.stringContaining('Commit them inside the submodule'),
      },
    },
  ])
  expect(state.tasks['T001']?.status).toBe('failed')
})

test('the value of a secret in a commit inside a submodule is given back', () => {
  const played = inspecting({ submodules: [{ kind: 'secret', path: 'libs/x' }] }, {})
  expect(played.of('finding.raised')).toMatchObject([{ severity: 'BLOCKER', title: 'the change holds a secret' }])
  expect(played.of('attempt.fixing')).toMatchObject([
    {
      failure: {
        kind: 'secret',
        detail: expect.stringMatching(/a commit inside the submodule libs\/x holds the value of a secret[^]*history/),
      },
    },
  ])
  expect(played.state.status).toBe('completed')
})

import { expect, test } from 'vitest'
import { baseConfig, limits, planOf, play } from '../../../../test/kit/play.ts'
import type { SubmoduleCommit } from '../../../model/work.ts'
import { attentionText } from '../../../views/status/attention.ts'
import { lineFor } from '../../../views/live/lines.ts'
import { reportMd } from '../../../views/report/report-md.ts'

const config = baseConfig({ review: false, ...limits({ attempts: 1, splitDepth: 0, goalIterations: 0 }) })

const commit = '1a2b3c4d5e6f'.padEnd(40, '0')
const ref = 'refs/looper/r/T001/a1'
const unpushed: SubmoduleCommit[] = [
  { path: 'libs/x', commit, kept: ref },
  { path: 'libs/y', commit, kept: null },
  { path: 'libs/z', commit, kept: `${ref}-submodule-1a2b3c4d5e6f`, noCopy: true },
]

test.each(['at once', 'after its checks'])('a landed commit that only the checkout has is a warning: %s', (when) => {
  const played = play(config, (work) => {
    if (work.kind === 'turn' && work.role === 'planner') return planOf([{ id: 'T001' }])
    if (work.kind !== 'integrate') return undefined
    if (work.step.kind === 'land') return { kind: 'integrate', status: 'landed', commit: 'm' }
    return when === 'at once'
      ? { kind: 'integrate', status: 'landed', commit: 'm', submodules: unpushed }
      : { kind: 'integrate', status: 'merged', commit: 'm', tree: 't', onto: 'c0', submodules: unpushed }
  })
  const [raised, ...more] = played.of('finding.raised')
  expect(more).toEqual([])
  expect(raised).toMatchObject({
    severity: 'WARNING',
    task: 'T001',
    title: 'a commit inside a submodule is not pushed',
    origin: 'T001/a1/submodule-commits',
  })
  expect(raised?.detail.split('\n')).toEqual([
    "the submodule `libs/x` is at the commit 1a2b3c4d5e6f, which is only in the checkout's copy of the submodule, "
      + `as ${ref}; others cannot clone the run branch with its submodules until it is pushed from there`,
    expect.stringMatching(/^the submodule `libs\/y` is at the commit 1a2b3c4d5e6f, which Looper could not copy/),
    'the submodule `libs/z` is at the commit 1a2b3c4d5e6f, which is only in your repository, '
      + `as ${ref}-submodule-1a2b3c4d5e6f; others cannot clone the run branch with its submodules until that commit is in `
      + "the submodule's remote",
  ])
  expect(played.state.status).toBe('completed')
  expect(lineFor(raised as never, played.state)).toContain(
    'WARNING a commit inside a submodule is not pushed: the submodule',
  )
  expect(reportMd(played.state, { live: false })).toContain(ref)
  expect(attentionText(played.state)).toContain('1 warning (T001)')
})

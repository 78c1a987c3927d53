/**
 * A machine that is out of descriptors, processes or memory: what starts is tried again; then the run pauses, and goes
 * on later.
 */
import { expect, test, type TestContext } from 'vitest'
import { startWith, type Faults } from '../kit/faults.ts'
import { follow, removeAll } from '../kit/live.ts'
import type { Project } from '../kit/project.ts'
import { goal, smallProject, wrong } from './small-run.ts'

type Spawn = NonNullable<Faults['spawn']>

function create({ onTestFinished }: TestContext): Project {
  const project = smallProject()
  onTestFinished(() => removeAll(project))
  return project
}

const kinds: [what: string, from: Pick<Spawn, 'of' | 'from'>][] = [
  ['git', { of: 'git', from: 8 }],
  ['a check', { of: 'exec 2>&1', from: 2 }],
  ['an agent', { of: 'agent.sh', from: 2 }],
]

test.for<[string, Pick<Spawn, 'of' | 'from'>, Spawn['code']]>(
  kinds.flatMap(([what, of]) =>
    (['EMFILE', 'EAGAIN', 'ENOMEM'] as const).map((code): [string, Pick<Spawn, 'of' | 'from'>, Spawn['code']] => [
      what,
      of,
      code,
    ]),
  ),
)('%s that meets a shortage a few times starts all the same: %j, %s', async ([, of, code], context) => {
  const project = create(context)
  expect(await follow(startWith(project, { spawn: { ...of, code, times: 3 } }, 'run', goal)).ended).toMatchObject({
    code: 0,
    stderr: '',
  })
  expect(await wrong(project)).toEqual([])
})

test.for(kinds)('%s that cannot be started pauses the run, which continues after a resume', async ([, of], context) => {
  const project = create(context)
  const { code, stdout, stderr } = await follow(
    startWith(project, { spawn: { ...of, code: 'EMFILE', times: 1e6 } }, 'run', goal),
  ).ended
  expect({ code, said: `${stdout}${stderr}` }).toEqual({
    code: 3,
    said: expect.stringContaining('too many open files'),
  })
  expect(stdout).toContain('ulimit -n')
  expect(stderr).not.toMatch(/\n\s+at /)
  expect(await project.status()).toMatchObject({ status: 'paused' })
  expect(await project.looper('resume')).toMatchObject({ code: 0, stderr: '' })
  // What failed for want of room was done again.
  expect((await wrong(project)).filter((each) => !each.startsWith('doneTwice'))).toEqual([])
})

test('before there is a run, its start is to be repeated', async (context) => {
  const project = create(context)
  const spawn: Spawn = { of: 'git', from: 3, code: 'EMFILE', times: 1e6 }
  const { code, stderr } = await follow(startWith(project, { spawn }, 'run', goal)).ended
  expect({ code, stderr }).toEqual({
    code: 3,
    stderr: expect.stringMatching(/too many open files\.\n {2}Raise the limits .*, then start the run again\.\n$/),
  })
})

/**
 * A rollback, and a kill in the middle of it: it is finished or superseded, and the branch is what the journal tells.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Event, EventType } from '../../src/model/event.ts'
import { startWith, type Faults } from '../kit/faults.ts'
import { eventsSoFar, follow, go, held, killHard, landed, removeAll, until } from '../kit/live.ts'
import type { Project } from '../kit/project.ts'
import { landsUnheard, withGit } from '../kit/with-git.ts'
import { branch, expectTruth, onBranch, told } from './branch-truth.ts'
import { goal, smallProject } from './small-run.ts'

type Kill = NonNullable<Faults['kill']>

const of = <T extends EventType>(project: Project, type: T): Event<T>[] =>
  eventsSoFar(project).filter((event) => event.type === type) as never

async function dies(project: Project, kill: Kill, ...words: string[]): Promise<void> {
  expect(await follow(startWith(project, { kill }, ...words)).ended).toMatchObject({ code: null, stderr: '' })
}

async function endsAsEver(project: Project): Promise<void> {
  expect(await project.looper('resume')).toMatchObject({ code: 0, stderr: '' })
  expect(await project.status()).toMatchObject({ status: 'completed', tasks: [{ status: 'done' }, { status: 'done' }] })
  expect(landed(project, branch)).toEqual(['T001', 'T002'])
  expectTruth(project)
}

const asked: Kill = { said: '"rollback.requested"', when: 'after' }
const movedUntold: Kill = { said: '"rolled.back"', when: 'before' }

describe('E8: a killed rollback of a resting run', () => {
  let project: Project
  beforeAll(async () => {
    project = smallProject()
    expect(await project.looper('run', goal)).toMatchObject({ code: 0 })
  })
  afterAll(() => removeAll(project))

  const moments: [string, Kill][] = [
    ['when it is asked for', asked],
    ['when the branch has moved', movedUntold],
    ['in the middle of reporting', { at: 2, when: 'during' }],
    ['when it is reported', { said: '"rolled.back"', when: 'after' }],
  ]

  test.for(moments)('%s: resume finishes the rollback', async ([, kill]) => {
    const before = of(project, 'rolled.back').length
    const [first = ''] = onBranch(project)
    await dies(project, kill, 'rollback', '--to', first)
    await endsAsEver(project)
    expect(of(project, 'rolled.back').slice(before)).toMatchObject([{ to: first, tasks: ['T002'] }])
  })

  test.for(moments)('%s: another rollback supersedes it', async ([, kill]) => {
    await dies(project, kill, 'rollback', '--to', onBranch(project)[0] ?? '')
    expect(await project.looper('rollback', '--to', 'base')).toMatchObject({ code: 0, stderr: '' })
    expect(onBranch(project)).toEqual([])
    await endsAsEver(project)
  })

  test('when the branch has moved: one that goes less far supersedes it too, and nothing of what it left is gone', async () => {
    const [first = '', second = ''] = onBranch(project)
    await dies(project, movedUntold, 'rollback', '--to', 'base')
    expect(onBranch(project)).toEqual([])
    expect(await project.looper('rollback', '--to', first)).toMatchObject({ code: 0, stderr: '' })
    expect(onBranch(project)).toEqual([first])
    const { kept } = of(project, 'rolled.back').at(-1) ?? {}
    expect(project.git('rev-parse', kept ?? '')).toBe(second)
    await endsAsEver(project)
  })

  test('before it is asked for: nothing has happened', async () => {
    const before = eventsSoFar(project)
    await dies(project, { said: '"rollback.requested"', when: 'before' }, 'rollback', '--to', 'base')
    expect(eventsSoFar(project)).toEqual(before)
    expect(await project.looper('resume')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('there is nothing to resume'),
    })
    expectTruth(project)
  })

  test('without a kill, when the branch cannot be moved: the run is unchanged, and one line says why', async () => {
    const before = await project.status()
    const view = join(project.notes, 'view')
    project.git('worktree', 'add', '--quiet', view, branch)
    const refused = await project.looper('rollback', '--to', 'base')
    expect(refused).toMatchObject({ code: 3, stdout: '' })
    expect(refused.stderr).toMatch(/^looper: The run branch \S+ is checked out in .*\n {2}The run is as it was\..*\n$/)
    expect(await project.status()).toEqual(before)
    expect(await project.looper('resume')).toMatchObject({ code: 2 })
    expectTruth(project)
    project.git('worktree', 'remove', view)
    expect(await project.looper('rollback', '--to', 'base')).toMatchObject({ code: 0, stderr: '' })
    await endsAsEver(project)
  })
})

describe('E8: a rollback of a run that was killed after a landing that is not in the journal', () => {
  const untold: Kill = { said: '"work.finished","id":"T002/a1/land0"', when: 'before' }

  async function crashed(): Promise<Project> {
    const project = smallProject()
    onTestFinished(() => removeAll(project))
    await dies(project, untold, 'run', goal)
    expect(landed(project, branch)).toEqual(['T001', 'T002'])
    expect(of(project, 'task.finished')).toHaveLength(1)
    return project
  }

  test('records the landing first, also when only that landing is rolled back', async () => {
    const project = await crashed()
    const [first = '', second = ''] = onBranch(project)
    expect(await project.looper('rollback', '--to', 'C9')).toMatchObject({ code: 2 })
    expectTruth(project)
    expect(await project.looper('rollback', '--to', first)).toMatchObject({ code: 0, stderr: '' })
    expect(of(project, 'rolled.back')).toMatchObject([{ from: second, to: first, tasks: ['T002'] }])
    expectTruth(project)
    expect((await project.looper('replay')).stdout).toContain('none differs')
    await endsAsEver(project)
  })

  test('and so does an abort', async () => {
    const project = await crashed()
    expect(await project.looper('abort')).toMatchObject({ code: 0, stderr: '' })
    expect(await project.status()).toMatchObject({ status: 'aborted', tasks: [{ status: 'done' }, { status: 'done' }] })
    expectTruth(project)
  })

  test('and a rollback was requested while it ran: resume records the landing first', async () => {
    const project = withGit(landsUnheard(`${branch}~2`), smallProject)
    onTestFinished(() => removeAll(project))
    const looper = follow(project.start('run', goal))
    await until('the landing', () => existsSync(join(project.notes, 'landed')))
    const [first = '', second = ''] = onBranch(project)
    expect(await project.looper('rollback', '--to', 'base')).toMatchObject({ code: 0, stderr: '' })
    await until('the request', () => of(project, 'rollback.requested').length === 1)
    await killHard(looper)
    expect(told(project)).toEqual([first])
    await endsAsEver(project)
    expect(of(project, 'rolled.back')).toMatchObject([{ from: second, tasks: ['T001', 'T002'] }])
  })
})

describe('E8: of a live run with an attempt under way', () => {
  const waiting = `if test "$LOOPER_TASK" = T002; then
  echo coder >> "$NOTES/held"
  until test -e "$NOTES/coder.go"; do sleep 0.02; done
fi`

  test.for<[string, Kill | null]>([
    ['without a kill', null],
    ['killed before it is written down', { said: '"rollback.requested"', when: 'before' }],
    ['killed when it is written down', asked],
    ['killed when it is begun', { said: '"kind":"rollback","id"', when: 'after' }],
    ['killed when the branch has moved', movedUntold],
    ['killed when it is reported', { said: '"rolled.back"', when: 'after' }],
  ])('%s: gone back once, and on from there', async ([, kill]) => {
    const project = smallProject({ meanwhile: waiting })
    onTestFinished(() => removeAll(project))
    const looper = follow(startWith(project, kill ? { kill } : {}, 'run', goal))
    await held(project, 'coder')
    expect(await project.looper('rollback', '--to', 'base')).toMatchObject({ code: 0, stderr: '' })
    if (kill) expect(await looper.ended).toMatchObject({ code: null, stderr: '' })
    else await until('the rollback', () => of(project, 'rolled.back').length === 1)
    go(project, 'coder')
    if (kill) await endsAsEver(project)
    else expect(await looper.ended).toMatchObject({ code: 0, stderr: '' })
    expect(landed(project, branch)).toEqual(['T001', 'T002'])
    expectTruth(project)
    expect(of(project, 'rolled.back')).toMatchObject([{ tasks: ['T001'] }])
    // What was called off has cost nothing.
    expect(of(project, 'attempt.failed')).toEqual([])
  })
})

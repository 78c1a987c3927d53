import { describe, expect, test } from 'vitest'
import {
  adopts,
  begin,
  branch,
  expected,
  openProject,
  project,
  quick,
  resumes,
  run,
  useCrashedRun,
} from '../kit/crashed-runs.ts'
import {
  eventsSoFar,
  follow,
  go,
  gone,
  held,
  isRunning,
  killHard,
  killStranger,
  lives,
  notes,
  noting,
  pidOf,
  starts,
  survivors,
  treeOf,
  until,
} from '../kit/live.ts'
import { cooperative, usualSandbox } from '../kit/project.ts'
import { withGit } from '../kit/with-git.ts'

useCrashedRun()

describe('while a coder works', () => {
  const slow = `${noting}
if (task === 'T001') { write('half.txt', 'half'); await hold('coder'); fs.rmSync('half.txt') }
${cooperative}`

  test('its turn is adopted, not started again; meanwhile the run says crashed, and one engine at a time may go on with it', async () => {
    openProject({ agent: slow, config: quick })
    const first = begin()
    await held(project, 'coder')
    await killHard(first)
    expect(await project.status()).toMatchObject({
      status: 'crashed',
      tasks: [{ status: 'doing' }, { status: 'todo' }],
    })
    expect(isRunning(pidOf(project, 'T001/a1/implement'))).toBe(true)

    const second = follow(project.start('resume'))
    await until('the run to go on', () => eventsSoFar(project).some(({ type }) => type === 'run.resumed'))
    expect(await project.status()).toMatchObject({ status: 'running' })
    for (const command of ['resume', 'discard']) {
      const refused = await project.looper(command, ...(command === 'discard' ? ['--yes'] : []))
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(run) })
      expect(refused.stderr.trimEnd().split('\n')).toHaveLength(2)
    }
    go(project, 'coder')
    expect(await second.ended).toMatchObject({ code: 0, stderr: '' })
    expect(starts(project)).toEqual(['plan/r0', 'T001/a1/implement', 'T002/a1/implement'])
    expect(treeOf(project, branch)).toBe(expected)
    expect(survivors(project)).toEqual([])
    expect(await project.status()).toMatchObject({
      status: 'completed',
      turns: 3,
      tasks: [{ attempts: 1 }, { attempts: 1 }],
    })
  })

  test('and engine after engine is killed: still one turn', async () => {
    openProject({ agent: slow, config: quick })
    const first = begin()
    await held(project, 'coder')
    await killHard(first)
    for (let times = 1; times <= 3; times++) {
      const next = follow(project.start('resume'))
      await until(
        `resumption ${times}`,
        () => eventsSoFar(project).filter(({ type }) => type === 'run.resumed').length === times,
      )
      await killHard(next)
    }
    await resumes('coder')
    expect(starts(project)).toEqual(['plan/r0', 'T001/a1/implement', 'T002/a1/implement'])
  })

  test('and both are killed six times: still resumable', async () => {
    openProject({ agent: slow, config: quick })
    let looper = begin()
    for (let times = 1; times <= 6; times++) {
      await until(`start ${times}`, () => notes(project, 'held').length === times)
      await killHard(looper)
      await killStranger(pidOf(project, 'T001/a1/implement'))
      if (times < 6) looper = follow(project.start('resume'))
    }
    await resumes('coder')
    expect(await project.status()).toMatchObject({ tasks: [{ attempts: 1 }, { attempts: 1 }] })
  })

  test('and several want to go on at the same time: one does, the others name the run and leave (C6)', async () => {
    openProject({ agent: slow, config: quick })
    const first = begin()
    await held(project, 'coder')
    await killHard(first)
    const resumers = [1, 2, 3, 4].map(() => follow(project.start('resume')))
    let over = 0
    for (const { ended } of resumers)
      void ended.then(() => {
        over += 1
      })
    await until('all but one to leave', () => over === 3)
    go(project, 'coder')
    const ends = await Promise.all(resumers.map(({ ended }) => ended))
    expect(ends.filter(({ code }) => code === 0)).toHaveLength(1)
    expect(ends.filter(({ code }) => code === 2)).toHaveLength(3)
    for (const { stderr } of ends.filter(({ code }) => code === 2)) expect(stderr).toContain(run)
    expect(starts(project)).toEqual(['plan/r0', 'T001/a1/implement', 'T002/a1/implement'])
    expect(eventsSoFar(project).filter(({ type }) => type === 'run.resumed')).toHaveLength(1)
    expect(treeOf(project, branch)).toBe(expected)
  })

  test('and the coder leaves a child behind before anybody resumes: its answer counts, the child does not survive', async () => {
    openProject({
      agent: `${noting}
import { spawn } from 'node:child_process'
if (task === 'T001') { await hold('coder'); note('children', identity(spawn('sleep', ['600'], { detached: true, stdio: 'ignore' }).pid)) }
${cooperative}
process.exit(0)`,
      config: quick,
    })
    const first = begin()
    await held(project, 'coder')
    await killHard(first)
    go(project, 'coder')
    await gone(pidOf(project, 'T001/a1/implement'))
    // A sandbox ends with its first process, and everything in it with that.
    if (usualSandbox === 'os') await until('the end of its sandbox', () => survivors(project).length === 0)
    else expect(survivors(project)).toHaveLength(1)
    await resumes()
    expect(notes(project, 'children').filter(lives)).toEqual([])
    expect(starts(project)).toEqual(['plan/r0', 'T001/a1/implement', 'T002/a1/implement'])
  })

  test('and the coder is done before anybody resumes: its answer counts', async () => {
    openProject({ agent: slow, config: quick })
    const first = begin()
    await held(project, 'coder')
    await killHard(first)
    go(project, 'coder')
    await gone(pidOf(project, 'T001/a1/implement'))
    await resumes()
    expect(starts(project)).toEqual(['plan/r0', 'T001/a1/implement', 'T002/a1/implement'])
  })

  test('and the coder dies too: its worktree is put back before it is done again, free of charge', async () => {
    openProject({
      agent: `${noting}
if (task === 'T001' && !may('coder')) { write('half.txt', 'half'); write('README.md', 'half'); write('a/b/c', 'x'); await hold('coder') }
const seen = [...fs.readdirSync('.').filter((name) => name !== '.git'), fs.readFileSync('README.md', 'utf8').trim()]
if (role === 'coder') note('seen', task + ' ' + seen.join(' '))
${cooperative}`,
      config: quick,
    })
    const first = begin()
    await held(project, 'coder')
    await killHard(first)
    await killStranger(pidOf(project, 'T001/a1/implement'))
    go(project, 'coder')
    await resumes()
    expect(starts(project)).toEqual(['plan/r0', 'T001/a1/implement', 'T001/a1/implement', 'T002/a1/implement'])
    expect(notes(project, 'seen')).toEqual(['T001 README.md # test', 'T002 README.md T001.txt # test'])
    expect(await project.status()).toMatchObject({
      tasks: [
        { id: 'T001', attempts: 1 },
        { id: 'T002', attempts: 1 },
      ],
    })
  })

  test('and the coder dies too, and putting its worktree back takes long: nothing is started twice meanwhile', async () => {
    const slowly = 'case "$*" in *"read-tree --reset"*) sleep 1;; esac; exec "$GIT" "$@"'
    withGit(slowly, () => openProject({ agent: slow, config: quick }))
    const first = begin()
    await held(project, 'coder')
    await killHard(first)
    await killStranger(pidOf(project, 'T001/a1/implement'))
    go(project, 'coder')
    await resumes()
    expect(starts(project)).toEqual(['plan/r0', 'T001/a1/implement', 'T001/a1/implement', 'T002/a1/implement'])
    expect(
      eventsSoFar(project).filter((event) => event.type === 'work.lost' && event.id.startsWith('T001')),
    ).toHaveLength(1)
  })

  test('and the coder ends without an answer before anybody resumes: done again, free of charge', async () => {
    openProject({
      agent: `${noting}
if (task === 'T001' && !may('coder')) { write('half.txt', 'half'); await hold('coder'); process.exit(1) }
${cooperative}`,
      config: quick,
    })
    const first = begin()
    await held(project, 'coder')
    await killHard(first)
    const pid = pidOf(project, 'T001/a1/implement')
    go(project, 'coder')
    await gone(pid)
    await resumes()
    expect(starts(project).filter((turn) => turn.startsWith('T001'))).toEqual([
      'T001/a1/implement',
      'T001/a1/implement',
    ])
    expect(await project.status()).toMatchObject({ tasks: [{ attempts: 1 }, { attempts: 1 }] })
  })

  test.each([
    ['abort', 'aborted'],
    ['discard --yes', 'crashed'],
  ])('and the run is given up with `looper %s`: nothing of it survives', async (command, status) => {
    openProject({ agent: slow, config: quick })
    const first = begin()
    await held(project, 'coder')
    await killHard(first)
    expect(await project.looper(...command.split(' '))).toMatchObject({ code: 0, stderr: '' })
    expect(survivors(project)).toEqual([])
    expect(isRunning(pidOf(project, 'T001/a1/implement'))).toBe(false)
    expect(await project.status()).toMatchObject({ status })
  })

  test('in place: the agent continues and its files stay', async () => {
    openProject({ agent: slow, config: { ...quick, parallel: 1, workspace: { mode: 'in-place', commit: true } } })
    const first = begin()
    await held(project, 'coder')
    await killHard(first)
    await adopts('coder')
    expect(starts(project)).toEqual(['plan/r0', 'T001/a1/implement', 'T002/a1/implement'])
    expect(treeOf(project, 'main')).toBe(expected)
    expect(survivors(project)).toEqual([])
  })

  test('in place, and the coder dies too: nothing is reset', async () => {
    openProject({
      agent: `${noting}
if (task === 'T001' && !may('coder')) { write('half.txt', 'half'); await hold('coder') }
${cooperative}`,
      config: { ...quick, parallel: 1, workspace: { mode: 'in-place' } },
    })
    const first = begin()
    await held(project, 'coder')
    await killHard(first)
    await killStranger(pidOf(project, 'T001/a1/implement'))
    project.write('mine.txt', 'written by the user meanwhile\n')
    go(project, 'coder')
    expect(await project.looper('resume')).toMatchObject({ code: 0, stderr: '' })
    expect(starts(project)).toEqual(['plan/r0', 'T001/a1/implement', 'T001/a1/implement', 'T002/a1/implement'])
    expect(project.read('half.txt')).toBe('half')
    expect(project.read('mine.txt')).toBe('written by the user meanwhile\n')
  })
})

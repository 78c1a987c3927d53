/**
 * Kill -9 at any moment: `looper resume` finishes with the same final tree, and no minute of an agent's work is lost or
 * done twice.
 */
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startWith } from '../kit/faults.ts'
import { cooperative, createProject, usualSandbox, type Project } from '../kit/project.ts'
import { landsUnheard, withGit } from '../kit/with-git.ts'
import {
  eventsSoFar,
  follow,
  go,
  gone,
  held,
  isRunning,
  killHard,
  killStranger,
  landed,
  lives,
  notes,
  noting,
  pidOf,
  removeAll,
  shellIdentity,
  starts,
  survivors,
  treeOf,
  until,
} from '../kit/live.ts'

const run = '001-make-two-files'
const branch = `looper/${run}`
const quick = { review: false, checks: ['true'] }

let project: Project
let expected = ''

beforeAll(async () => {
  const undisturbed = createProject({ config: quick })
  expect(await undisturbed.looper('run', 'make two files')).toMatchObject({ code: 0 })
  expected = treeOf(undisturbed, branch)
  expect(expected.split('\n')).toHaveLength(3)
  undisturbed.remove()
})

afterEach(() => removeAll(project))

/** Starts a new engine; agents that wait for a signal get it only then, so that they are found alive. */
async function adopts(...names: string[]): Promise<void> {
  const looper = follow(project.start('resume'))
  const resumed = (): boolean => eventsSoFar(project).some(({ type }) => type === 'run.resumed')
  await Promise.race([until('the run to go on', resumed), looper.ended])
  for (const name of names) go(project, name)
  expect(await looper.ended).toMatchObject({ code: 0, stderr: '' })
}

/** Ends what was begun, and says what must be true after any crash. */
async function resumes(...names: string[]): Promise<void> {
  await adopts(...names)
  expect(treeOf(project, branch)).toBe(expected)
  expect(landed(project, branch)).toEqual(['T001', 'T002'])
  expect(survivors(project)).toEqual([])
  expect(project.git('worktree', 'list').split('\n')).toHaveLength(1)
  expect(project.git('status', '--porcelain')).toBe('?? .looper/')
}

const begin = (...args: string[]) => follow(project.start('run', 'make two files', ...args))

describe('while a coder works', () => {
  const slow = `${noting}
if (task === 'T001') { write('half.txt', 'half'); await hold('coder'); fs.rmSync('half.txt') }
${cooperative}`

  test('its turn is adopted, not started again; meanwhile the run says crashed, and one engine at a time may go on with it', async () => {
    project = createProject({ agent: slow, config: quick })
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
    project = createProject({ agent: slow, config: quick })
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
    project = createProject({ agent: slow, config: quick })
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
    project = createProject({ agent: slow, config: quick })
    const first = begin()
    await held(project, 'coder')
    await killHard(first)
    const rivals = [1, 2, 3, 4].map(() => follow(project.start('resume')))
    let over = 0
    for (const { ended } of rivals)
      void ended.then(() => {
        over += 1
      })
    await until('all but one to leave', () => over === 3)
    go(project, 'coder')
    const ends = await Promise.all(rivals.map(({ ended }) => ended))
    expect(ends.filter(({ code }) => code === 0)).toHaveLength(1)
    expect(ends.filter(({ code }) => code === 2)).toHaveLength(3)
    for (const { stderr } of ends.filter(({ code }) => code === 2)) expect(stderr).toContain(run)
    expect(starts(project)).toEqual(['plan/r0', 'T001/a1/implement', 'T002/a1/implement'])
    expect(eventsSoFar(project).filter(({ type }) => type === 'run.resumed')).toHaveLength(1)
    expect(treeOf(project, branch)).toBe(expected)
  })

  test('and the coder leaves a child behind before anybody resumes: its answer counts, the child does not survive', async () => {
    project = createProject({
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
    project = createProject({ agent: slow, config: quick })
    const first = begin()
    await held(project, 'coder')
    await killHard(first)
    go(project, 'coder')
    await gone(pidOf(project, 'T001/a1/implement'))
    await resumes()
    expect(starts(project)).toEqual(['plan/r0', 'T001/a1/implement', 'T002/a1/implement'])
  })

  test('and the coder dies too: its worktree is put back before it is done again, free of charge', async () => {
    project = createProject({
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
    project = withGit(slowly, () => createProject({ agent: slow, config: quick }))
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
    project = createProject({
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
    project = createProject({ agent: slow, config: quick })
    const first = begin()
    await held(project, 'coder')
    await killHard(first)
    expect(await project.looper(...command.split(' '))).toMatchObject({ code: 0, stderr: '' })
    expect(survivors(project)).toEqual([])
    expect(isRunning(pidOf(project, 'T001/a1/implement'))).toBe(false)
    expect(await project.status()).toMatchObject({ status })
  })

  test('in place: the agent continues and its files stay', async () => {
    project = createProject({
      agent: slow,
      config: { ...quick, parallel: 1, workspace: { mode: 'in-place', commit: true } },
    })
    const first = begin()
    await held(project, 'coder')
    await killHard(first)
    await adopts('coder')
    expect(starts(project)).toEqual(['plan/r0', 'T001/a1/implement', 'T002/a1/implement'])
    expect(treeOf(project, 'main')).toBe(expected)
    expect(survivors(project)).toEqual([])
  })

  test('in place, and the coder dies too: nothing is reset', async () => {
    project = createProject({
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

test('while the planner plans: adopted', async () => {
  project = createProject({
    agent: `${noting} if (role === 'planner') await hold('planner')\n${cooperative}`,
    config: quick,
  })
  const first = begin()
  await held(project, 'planner')
  await killHard(first)
  expect(await project.status()).toMatchObject({ status: 'crashed', stage: 'plan', tasks: [] })
  await resumes('planner')
  expect(starts(project)).toEqual(['plan/r0', 'T001/a1/implement', 'T002/a1/implement'])
})

test('while judges judge two tasks at once: all are adopted, and what they edited is put back', async () => {
  project = createProject({
    agent: `${noting}
if (role === 'tester') { write('scribble.txt', 'of a tester'); await hold('tester-' + task) }
if (role === 'planner') answer({ status: 'plan', tasks: [{ id: 'T001', title: 'one' }, { id: 'T002', title: 'two' }] })
else { ${cooperative} }`,
    config: { checks: ['true'] },
  })
  const first = begin()
  await Promise.all([held(project, 'tester-T001'), held(project, 'tester-T002')])
  await killHard(first)
  await adopts('tester-T001', 'tester-T002')
  expect(treeOf(project, branch)).toBe(expected)
  expect(starts(project).length).toBe(new Set(starts(project)).size)
  expect(eventsSoFar(project).filter(({ type }) => type === 'finding.raised')).toHaveLength(2)
  expect(survivors(project)).toEqual([])
})

test('while a check runs: the check ends with its engine’s successor and is run again, the coder is not', async () => {
  project = createProject({ agent: `${noting}${cooperative}` })
  const [begun, may] = [join(project.notes, 'checks'), join(project.notes, 'check.go')]
  const check = `echo ${shellIdentity} >> '${begun}'; echo scribble > by-check.txt; until test -e '${may}'; do sleep 0.02; done; rm by-check.txt`
  project.configure({ ...quick, checks: [check], baseline: 'off' })
  const first = begin()
  const [checking = ''] = await until('a check', () => {
    const found = notes(project, 'checks')
    return found.length > 0 && found
  })
  await killHard(first)
  expect(lives(checking)).toBe(true)
  expect(await project.status()).toMatchObject({ status: 'crashed' })
  const second = follow(project.start('resume'))
  await until('a second check', () => notes(project, 'checks').length === 2)
  expect(lives(checking)).toBe(false)
  go(project, 'check')
  expect(await second.ended).toMatchObject({ code: 0, stderr: '' })
  expect(starts(project)).toEqual(['plan/r0', 'T001/a1/implement', 'T002/a1/implement'])
  // That of the first task twice, of the second, and of the gate.
  expect(notes(project, 'checks')).toHaveLength(4)
  expect(treeOf(project, branch)).toBe(expected)
  expect(survivors(project)).toEqual([])
})

test('between the landing of a task and its record: it is not landed again', async () => {
  project = withGit(landsUnheard(`${branch}~1`), () =>
    createProject({ agent: `${noting}${cooperative}`, config: quick }),
  )
  const first = begin()
  await until('the landing', () => existsSync(join(project.notes, 'landed')))
  await killHard(first)
  expect(landed(project, branch)).toEqual(['T001'])
  expect(await project.status()).toMatchObject({
    status: 'crashed',
    tasks: [{ status: 'doing', commit: null }, { status: 'todo' }],
  })
  await resumes()
  expect(starts(project)).toEqual(['plan/r0', 'T001/a1/implement', 'T002/a1/implement'])
  const commits = project.git('rev-list', '--reverse', `main..${branch}`).split('\n')
  expect((await project.status()).tasks.map(({ commit }) => commit)).toEqual(commits)
})

test.each(['plan/r0', 'T001/a1/implement', 'T002/a1/implement'])(
  'right after the turn %s has ended: it is not done again',
  async (turn) => {
    project = createProject({ agent: `${noting}${cooperative}`, config: quick })
    const first = begin('--json')
    await until(`the end of ${turn}`, () => first.stdout().includes(`"work.finished","id":"${turn}"`))
    await killHard(first)
    await resumes()
    expect(starts(project)).toEqual(['plan/r0', 'T001/a1/implement', 'T002/a1/implement'])
  },
)

test.each([
  ['plan/r0', 'planner'],
  ['T001/a1/test0', 'tester'],
])('git fails right after the answer of %s: resume keeps the answer', async (turn, role) => {
  const broken = `if test -e "$HOME/notes/answered" && test ! -e "$HOME/notes/fixed"; then echo broken >&2; exit 128; fi\nexec "$GIT" "$@"`
  const agent = `${noting}${cooperative}\nif (role === '${role}') note('answered', role)`
  project = withGit(broken, () => createProject({ agent, config: { ...quick, review: true } }))
  expect(await begin().ended).toMatchObject({ code: 3 })
  expect(eventsSoFar(project).filter(({ type }) => type === 'work.finished')).toContainEqual(
    expect.objectContaining({
      id: turn,
      outcome: expect.objectContaining({ kind: 'failure', answer: expect.objectContaining({ status: 'ok' }) }),
    }),
  )
  writeFileSync(join(project.notes, 'fixed'), '')
  await resumes()
  expect(starts(project).filter((started) => started === turn)).toHaveLength(1)
  expect(eventsSoFar(project).filter((event) => event.type === 'work.lost' && event.revokes !== undefined)).toEqual([])
})

test(
  'killed again and again, a few lines further each time, one run still comes to its end',
  { timeout: 600_000 },
  async () => {
    project = createProject({ agent: `${noting}${cooperative}`, config: quick })
    let kills = 0
    for (let words = ['run', 'make two files']; ; words = ['resume']) {
      // A little longer each time: a run that is always killed before its first new step makes no progress.
      const last = eventsSoFar(project).length + 7 + kills
      const { code } = await follow(startWith(project, { kill: { said: `{"seq":${last},`, when: 'after' } }, ...words))
        .ended
      expect(code ?? 0).toBe(0)
      if (code === null) kills += 1
      if (eventsSoFar(project).some(({ type }) => type === 'run.ended')) break
      expect(kills).toBeLessThan(30)
    }
    expect(kills).toBeGreaterThan(2)
    expect(treeOf(project, branch)).toBe(expected)
    expect(landed(project, branch)).toEqual(['T001', 'T002'])
    expect(survivors(project)).toEqual([])
    expect(existsSync(project.workspaces) && readdirSync(project.workspaces).length > 0).toBe(false)
  },
)

/**
 * Kill -9 at any moment: `looper resume` finishes with the same final tree, and no minute of an agent's work is lost or
 * done twice.
 */
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  adopts,
  begin,
  branch,
  expected,
  openProject,
  project,
  quick,
  resumes,
  useCrashedRun,
} from '../kit/crashed-runs.ts'
import { startWith } from '../kit/faults.ts'
import {
  eventsSoFar,
  follow,
  go,
  held,
  killHard,
  landed,
  lives,
  notes,
  noting,
  shellIdentity,
  starts,
  survivors,
  treeOf,
  until,
} from '../kit/live.ts'
import { cooperative } from '../kit/project.ts'
import { landsUnheard, withGit } from '../kit/with-git.ts'

useCrashedRun()

test('while the planner plans: adopted', async () => {
  openProject({ agent: `${noting} if (role === 'planner') await hold('planner')\n${cooperative}`, config: quick })
  const first = begin()
  await held(project, 'planner')
  await killHard(first)
  expect(await project.status()).toMatchObject({ status: 'crashed', stage: 'plan', tasks: [] })
  await resumes('planner')
  expect(starts(project)).toEqual(['plan/r0', 'T001/a1/implement', 'T002/a1/implement'])
})

test('while judges judge two tasks at once: all are adopted, and what they edited is put back', async () => {
  openProject({
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
  openProject({ agent: `${noting}${cooperative}` })
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
  withGit(landsUnheard(`${branch}~1`), () => openProject({ agent: `${noting}${cooperative}`, config: quick }))
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
    openProject({ agent: `${noting}${cooperative}`, config: quick })
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
  // An edit of a role that may only read: git is needed to undo it.
  const agent = `${noting}${cooperative}\nif (role === '${role}') (note('answered', role), write('stray.txt', role))`
  withGit(broken, () => openProject({ agent, config: { ...quick, review: true } }))
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
    openProject({ agent: `${noting}${cooperative}`, config: quick })
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

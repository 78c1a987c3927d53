/** What checks leave behind, what commands proposed by agents may see, and limits changed from outside. */
import { afterEach, expect, test } from 'vitest'
import { createProject, type Project } from '../kit/project.ts'

let project: Project
afterEach(() => project.remove())

test('files that a check writes are part of no change, and fail no task', async () => {
  project = createProject({
    config: { checks: [{ name: 'litter', run: 'echo junk > litter.txt; test -f fixed.txt' }] },
    agent: `
if (role === 'planner') answer({ status: 'plan', tasks: [{ id: 'T001', title: 'one' }] })
if (role === 'supervisor') answer({ score: 90 })
if (role === 'tester') answer({ status: 'passed', total: 1 })
if (role === 'coder') { write(purpose === 'fix' ? 'fixed.txt' : 'first.txt', 'x'); answer({ status: 'complete' }) }
`,
  })
  expect((await project.looper('run', 'stay clean')).code).toBe(0)
  expect(project.git('ls-tree', '--name-only', 'looper/001-stay-clean').split('\n')).toEqual([
    'README.md',
    'first.txt',
    'fixed.txt',
  ])
  expect(project.events().filter(({ type }) => type === 'finding.raised')).toEqual([])
})

test('a command that an agent proposed sees no more of the environment than agents do', async () => {
  project = createProject({
    config: { review: false, limits: { attempts: 1, fixCycles: 0, splitDepth: 0, goalIterations: 0 } },
    agent: `
if (role === 'planner') answer({ status: 'plan', tasks: [{ id: 'T001', title: 'one', checks: ['printenv GIT_AUTHOR_EMAIL', 'sh -c "printenv"'] }] })
if (role === 'coder') { write('a.txt', 'x'); answer({ status: 'complete' }) }
`,
  })
  expect((await project.looper('run', 'peek')).code).toBe(1)
  const checks = project.events().flatMap((event) => (event.type === 'check.finished' ? [event] : []))
  expect(checks.map(({ check, exitCode }) => [check, exitCode])).toEqual([
    ['true', 0],
    ['printenv GIT_AUTHOR_EMAIL', 1],
  ])
})

test('a limit is raised for a resting run, as an event, and applies after the resume', async () => {
  project = createProject({ config: { review: false, limits: { turns: 2 } } })
  expect((await project.looper('run', 'stay small')).code).toBe(3)
  expect(await project.looper('limit', '--turns', '20')).toMatchObject({
    code: 0,
    stdout: '001-stay-small: turn limit 20, from the next resume on\n',
  })
  expect((await project.looper('resume')).code).toBe(0)
  expect(project.events().filter(({ type }) => type === 'limits.changed')).toMatchObject([{ limits: { turns: 20 } }])
})

/** What Looper says of work that no check has proven, and what it does where a project has no checks. */
import { describe, expect, test, vi } from 'vitest'
import { call, projects } from '../kit/outside.ts'
import { cooperative } from '../kit/project.ts'

const create = projects()
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

const quick = { review: false, limits: { attempts: 1, splitDepth: 0, goalIterations: 0, fixCycles: 1 } }
const planning = (task: object): string =>
  `if (role === 'planner') answer({ status: 'plan', tasks: [${JSON.stringify({ id: 'T001', title: 'one', ...task })}] })\n`
const idle = `${planning({})}if (role === 'coder') answer({ status: 'complete' })`
const off = { ...quick, checks: [], workspace: { mode: 'in-place', commit: false } }
const none = { ...quick, checks: null, workspace: { mode: 'in-place', commit: false } }

describe('in place without checks (F12)', () => {
  test('switched off: a task that changed nothing is done, and every view says so', async () => {
    const project = create({ config: off, agent: idle })
    const { code, stdout } = await project.looper('run', 'nothing')
    expect([code, stdout]).toEqual([0, expect.stringContaining('T001 done · unverified · changed nothing')])
    expect(stdout).toContain('1 task changed nothing (T001)')
    expect((await project.looper('report')).stdout).toContain('**done, changed nothing, unverified**')
    expect((await project.looper('ls', '1')).stdout).toContain('changed nothing, unverified')
  })

  test('none found: a task that changed nothing is not done', async () => {
    const project = create({ config: none, agent: idle })
    const { code, stdout } = await project.looper('run', 'nothing')
    expect([code, stdout]).toEqual([1, expect.stringContaining('changed nothing')])
  })

  test('the guard works', async () => {
    const test1 = "import { test } from 'node:test'\ntest('one', (t) => { t.assert.equal(1, 1) })\n"
    const agent = `${planning({})}if (role === 'coder') { fs.rmSync('a.test.mjs'); answer({ status: 'complete' }) }`
    const project = create({ config: off, agent, files: { 'a.test.mjs': test1 } })
    const { code, stdout } = await project.looper('run', 'clean up')
    expect([code, stdout]).toEqual([1, expect.stringContaining('tests or checks were made weaker')])
  })
})

describe('checks of tasks where the project has none (N8)', () => {
  const agent = (file: string): string => `${planning({ checks: ['test -f hello.txt'] })}
if (role === 'coder') { write('${file}', 'x'); answer({ status: 'complete' }) }`

  test.each([{ mode: 'worktree' }, { mode: 'in-place' }])('run, and prove the task: %o', async (workspace) => {
    const project = create({ config: { ...quick, checks: null, workspace }, agent: agent('hello.txt') })
    expect(await project.looper('run', 'say hello')).toMatchObject({ code: 0 })
    expect(await project.status()).toMatchObject({
      tasks: [{ evidence: [{ check: 'test -f hello.txt', exitCode: 0 }] }],
    })
    const report = (await project.looper('report')).stdout
    expect(report).toContain('Check `test -f hello.txt` passed')
    expect(report).not.toContain('unverified')
  })

  test('a red one fails the task', async () => {
    const project = create({ config: { ...quick, checks: null }, agent: agent('other.txt') })
    expect(await project.looper('run', 'say hello')).toMatchObject({ code: 1 })
  })

  test('switched off, they do not run', async () => {
    const project = create({ config: { ...quick, checks: [] }, agent: agent('other.txt') })
    expect(await project.looper('run', 'say hello')).toMatchObject({ code: 0 })
    expect(await project.status()).toMatchObject({ tasks: [{ status: 'done', evidence: [] }] })
  })
})

test('a goal that only a judge has seen is judged met, not verified', async () => {
  const project = create({ config: { checks: [] } })
  const { stdout } = await project.looper('run', 'make two files')
  expect(stdout).toContain('goal judged met, unverified')
  expect(stdout).not.toContain('goal verified')
  const proven = create({ config: { checks: ['true'] } })
  expect((await proven.looper('run', 'make two files')).stdout).toContain('goal verified')
})

test('the report names the checks of the wave that passed on the final tree', async () => {
  const slow = { name: 'slow', run: 'test -f T002.txt || test ! -f T001.txt', when: 'wave' }
  const project = create({ config: { ...quick, parallel: 1, checks: ['true', slow] } })
  expect(await project.looper('run', 'make two files')).toMatchObject({ code: 0 })
  expect((await project.looper('report')).stdout).toContain('- Check `slow` passed: exit 0')
})

test('build products in a change are landed with a warning', async () => {
  const agent = `if (role === 'coder') write('pkg/__pycache__/' + task + '.pyc', 'x')\n${cooperative}`
  const project = create({ config: quick, agent })
  const { stdout } = await project.looper('run', 'make two files')
  expect(stdout).toContain('build products are part of the change')
  expect(stdout).toContain('2 warnings (T001, T002)')
  expect((await project.looper('report')).stdout).toContain('pkg/\\_\\_pycache\\_\\_/T001.pyc: list them in .gitignore')
})

describe('looper rollback of a completed run', () => {
  const ran = async (): Promise<ReturnType<typeof create>> => {
    const project = create({ config: { ...quick, parallel: 1 } })
    expect(await project.looper('run', 'make two files')).toMatchObject({ code: 0 })
    return project
  }

  test('needs --yes without a terminal, and names the ref that keeps the undone commits', async () => {
    const project = await ran()
    const tip = project.git('rev-parse', 'looper/001-make-two-files')
    expect(await project.looper('rollback')).toMatchObject({ code: 2, stderr: expect.stringContaining('Add --yes') })
    expect(project.git('rev-parse', 'looper/001-make-two-files')).toBe(tip)
    const { code, stdout } = await project.looper('rollback', '--yes')
    const [, ref = ''] = /The undone commits are kept in (\S+)/.exec(stdout) ?? []
    expect([code, project.git('rev-parse', ref)]).toEqual([0, tip])
  })

  test('asks on a terminal; no means no', async () => {
    const project = await ran()
    const tip = project.git('rev-parse', 'looper/001-make-two-files')
    const { code, stdout } = await call(project, ['rollback'], { terminal: true, input: 'n\n' })
    expect([code, stdout]).toEqual([1, expect.stringContaining('Undo its last landings? [y/N]')])
    expect(project.git('rev-parse', 'looper/001-make-two-files')).toBe(tip)
  })

  test('apply after it names the rollback, the ref, and the command that brings the work back', async () => {
    const project = await ran()
    expect(await project.looper('rollback', '--to', 'base')).toMatchObject({ code: 0 })
    const { code, stdout } = await project.looper('apply')
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Nothing to apply: what \S+ landed was rolled back\./)])
    const [, ref = ''] = /`git merge (\S+)`/.exec(stdout) ?? []
    expect(ref).toBe('refs/looper/001-make-two-files/set-aside/1')
    project.git('merge', '-q', ref)
    expect(project.git('ls-files')).toContain('T001.txt')
  })

  test('a fork after it starts from the rolled-back tip', async () => {
    const project = await ran()
    expect(await project.looper('rollback', '--to', 'base')).toMatchObject({ code: 0 })
    expect(await project.looper('fork', '--at', 'last')).toMatchObject({ code: 0 })
    expect((await project.looper('diff', '2')).stdout).toBe('')
    expect(await project.looper('resume', '2')).toMatchObject({ code: 0 })
    expect((await project.looper('diff', '2', '--stat')).stdout).toContain('2 files changed')
  })
})

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { follow } from '../kit/live.ts'
import { cooperative, createProject, type Ended, type Project } from '../kit/project.ts'

let project: Project
afterEach(() => project.remove())

/** Every turn leaves a line, so that none is paid for unseen. */
const counted = `note('turns', role); ${cooperative}`
const turns = (): string[] =>
  existsSync(join(project.notes, 'turns')) ? readFileSync(join(project.notes, 'turns'), 'utf8').trim().split('\n') : []

const withoutRunner = (more: Record<string, unknown> = {}, agent = counted): Project =>
  createProject({ agent, config: { checks: [{ name: 'test', run: 'no-such-runner --all' }], ...more } })

/** The words of a printed command, as a shell reads them. */
const shellWords = (command: string): string[] =>
  execFileSync('sh', ['-c', `printf '%s\\0' ${command}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1)

describe('a check that cannot run', () => {
  test('pauses the run before a coder is paid, and says why and what helps', async () => {
    project = withoutRunner()
    const { code, stdout } = await project.looper('run', 'make two files')
    expect(code).toBe(3)
    expect(turns()).not.toContain('coder')
    const [first = '', ...rest] = stdout.slice(stdout.indexOf('state ')).split('\n')
    expect(first).toBe(
      'state   paused · the check test (`no-such-runner --all`) cannot run: '
        + 'the program no-such-runner is not installed or not executable',
    )
    expect(rest.join('\n')).toContain('no-such-runner: not found')
    expect(stdout).toContain("looper config set checks '<command>'")
    expect(stdout).toMatch(/looper resume 1 /)
  })

  test('another check takes effect when the run is resumed', async () => {
    project = withoutRunner()
    await project.looper('run', 'make two files')
    expect((await project.looper('resume')).code).toBe(3)
    await project.looper('config', 'set', 'checks', 'true')
    const { code, stdout, stderr } = await project.looper('resume')
    expect(stdout).toMatch(/checks +true · changed, used from now on\n/)
    expect(stderr).toBe('· settings as they are now, because no task has started yet: checks\n')
    expect(code).toBe(0)
    expect((await project.status()).tasks[0]?.evidence).toEqual([{ check: 'true', exitCode: 0 }])
  })

  test('checks of the command line yield to those of the file with --settings', async () => {
    project = withoutRunner()
    project.configure({ review: false, checks: ['true'] })
    expect((await project.looper('run', 'make two files', '--check', 'no-such-runner')).code).toBe(3)
    expect((await project.looper('config', 'set', 'checks', 'true')).stdout).toContain(
      'checks was already ["true"] in .looper/config.json; a run with another value from an option: '
        + 'looper resume --settings uses this one',
    )
    expect((await project.looper('resume')).code).toBe(3)
    expect((await project.looper('resume', '--settings')).code).toBe(0)
    expect((await project.status()).tasks[0]?.evidence).toEqual([{ check: 'true', exitCode: 0 }])
  })

  test('a resume without the agent of the run says which agent is missing, and names no flag', async () => {
    project = withoutRunner()
    await project.looper('run', 'make two files')
    writeFileSync(join(project.root, '.looper/config.json'), '{}')
    const { code, stderr } = await project.looper('resume')
    expect(code).toBe(2)
    expect(stderr).toMatch(
      /^looper: 001-make-two-files was started with the agent "test", which is no longer configured/,
    )
    expect(stderr).toContain('looper fork 1 --at last --agent <agent>')
  })

  test('the printed command that drops one of several checks keeps the settings of the others', async () => {
    project = createProject({
      agent: counted,
      config: {
        checks: [
          { name: 'unit', run: 'test "$MODE" = "it\'s fast"', env: { MODE: "it's fast" } },
          { name: 'lint', run: 'no-such-linter' },
        ],
      },
    })
    const { stdout } = await project.looper('run', 'make two files')
    const command = /looper (config set checks '.*') +Drop the check lint/.exec(stdout)?.[1]
    expect(command).toBeDefined()
    const { code } = await project.looper(...shellWords(command ?? ''))
    expect(code).toBe(0)
    expect((await project.looper('resume')).code).toBe(0)
    expect((await project.status()).tasks[0]?.evidence).toEqual([{ check: 'unit', exitCode: 0 }])
  })

  test('a setting that changed while an agent was at work does not take effect by itself', async () => {
    const planted = `
      if (role === 'planner') {
        const file = path.join(path.dirname(env.NOTES), 'repo/.looper/config.json')
        fs.writeFileSync(file, JSON.stringify({ ...JSON.parse(fs.readFileSync(file, 'utf8')), checks: ['true'] }))
      }`
    project = withoutRunner({}, `${planted}; ${counted}`)
    await project.looper('run', 'make two files')
    const { code } = await project.looper('resume')
    expect(code).toBe(3)
    expect((await project.looper('resume', '--settings')).code).toBe(0)
  })

  test('an ignored file of the checkout is offered for copying, and the offer works', async () => {
    project = createProject({
      agent: counted,
      files: { '.gitignore': '.env\n' },
      config: { checks: [{ name: 'test', run: `node -e "require('fs').readFileSync('.env')"` }] },
    })
    writeFileSync(join(project.root, '.env'), 'KEY=1\n')
    const { code, stdout } = await project.looper('run', 'make two files')
    expect(code).toBe(3)
    expect(stdout).toContain('cannot run: the file .env is missing')
    expect(stdout).toContain('looper config set workspace.copy .env')
    await project.looper('config', 'set', 'workspace.copy', '.env')
    expect((await project.looper('resume')).code).toBe(0)
  })
})

test('a base on which no check can prove anything pauses the run; the policy decides otherwise', async () => {
  project = createProject({ agent: counted, config: { checks: ['echo broken; exit 1'] } })
  const { code, stdout } = await project.looper('run', 'make two files')
  expect(code).toBe(3)
  expect(turns()).not.toContain('coder')
  expect(stdout).toContain('fails before any change, and no other check can prove the work')
  await project.looper('config', 'set', 'baseline', 'fix-first')
  await project.looper('resume')
  expect((await project.status()).tasks.map(({ id, title }) => `${id} ${title}`)).toContain(
    'B001 Make check echo broken; exit 1 pass',
  )
})

test('checks that passed on the same files are not repeated before the next run', async () => {
  project = createProject({ config: { checks: [{ name: 'test', run: 'test -f README.md' }] } })
  const remembered = (): unknown[] =>
    project.events().flatMap((event) => (event.type === 'baseline.taken' ? [event.remembered ?? false] : []))
  await project.looper('run', 'make two files')
  expect(remembered()).toEqual([false])
  await project.looper('run', 'make two files again')
  expect(remembered()).toEqual([true])
  project.configure({ checks: [{ name: 'test', run: 'test -f README.md && true' }] })
  await project.looper('run', 'make two files once more')
  expect(remembered()).toEqual([false])
})

test('a check that passed is repeated when its runner was removed from the machine since', async () => {
  project = createProject({ config: { checks: [{ name: 'test', run: 'own-runner --all' }] } })
  const bin = join(project.notes, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'own-runner'), '#!/bin/sh\nexit 0\n', { mode: 0o755 })
  const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}` }
  const run = (goal: string): Promise<Ended> => follow(project.startThrough([], env, 'run', goal)).ended
  expect((await run('make two files')).code).toBe(0)
  rmSync(join(bin, 'own-runner'))
  const { code, stdout } = await run('make two files again')
  expect({ code, stdout }).toMatchObject({
    code: 3,
    stdout: expect.stringContaining('the program own-runner is not installed'),
  })
})

test('a check that turns red without a change names its ways out, and a new run repairs it first', async () => {
  project = createProject({
    agent: `
if (role === 'planner') answer({ status: 'plan', tasks: [{ id: 'T001', title: 'one' }] })
else {
  if (task === 'B001') fs.rmSync(path.join(env.NOTES, 'down'))
  else if (!fs.existsSync(path.join(env.NOTES, 'over'))) note('down', 'x')
  write(task + '.txt', String(Math.random()))
  answer({ status: 'complete', summary: 'made' })
}`,
  })
  const run = `! test -e ${JSON.stringify(join(project.notes, 'down'))}`
  project.configure({ checks: [{ name: 'test', run }], review: false, checkReruns: 0 })
  const { code, stdout } = await project.looper('run', 'make a file')
  expect(code).toBe(3)
  expect(stdout).toContain('the check test fails on the run branch itself, where it passed before')
  expect(stdout).toMatch(/looper run "<goal>" --baseline fix-first +Start a new run that repairs the check first/)
  expect(stdout).toMatch(/looper fork 1 --at last --check "<command>" +Go on in a new run with another check/)
  writeFileSync(join(project.notes, 'over'), '')
  expect((await project.looper('run', 'make a file', '--baseline', 'fix-first')).code).toBe(0)
  const { tasks } = await project.status()
  expect(tasks.map(({ id, status }) => `${id} ${status}`).toSorted()).toEqual(['B001 done', 'T001 done'])
})

test('no workspace is set up for a check that is remembered', async () => {
  project = createProject()
  const log = join(dirname(project.root), 'set-up.log')
  project.configure({ checks: ['test -f README.md'], workspace: { mode: 'worktree', setup: [`pwd >> '${log}'`] } })
  const first = async (goal: string): Promise<string | undefined> => {
    rmSync(log, { force: true })
    await project.looper('run', goal)
    return readFileSync(log, 'utf8').split('\n')[0]
  }
  const trees = (): unknown[] =>
    project.events().flatMap((event) => (event.type === 'baseline.taken' ? [event.tree] : []))
  expect(await first('make two files')).toContain('.verify/')
  const before = trees()
  expect(await first('make two files again')).not.toContain('.verify/')
  expect(trees()).toEqual(before)
  expect(before).toEqual([expect.stringMatching(/^[0-9a-f]{40}$/)])
})

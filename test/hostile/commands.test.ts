/**
 * Agents and checks that try to command their own run: whatever they call, write or answer, its limits and settings
 * stay as they are.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { changingCalls } from '../kit/changing-calls.ts'
import { projects } from '../kit/outside.ts'
import { cooperative, usualSandbox, type Project } from '../kit/project.ts'

vi.setConfig({ testTimeout: 900_000, hookTimeout: 600_000 })
const create = projects()
const program = resolve(import.meta.dirname, '../../bin/looper.js')
const quick = { review: false, checks: ['true'] }

const commands = Object.values(changingCalls).flat()

/** For agents: `call(before, args)` runs Looper on the checkout, started by the words in `before`. */
const calling = `
import { spawn, spawnSync } from 'node:child_process'
const root = path.join(path.dirname(env.NOTES), 'repo')
const home = path.dirname(env.NOTES)
const looper = (args) => [process.execPath, ${JSON.stringify(program)}, '-C', root, ...args]
const call = (before, args) => {
  const [first, ...rest] = [...before, ...looper(args)]
  const { status, stderr } = spawnSync(first, rest, { encoding: 'utf8', input: '' })
  note('called', JSON.stringify({ args, status, stderr }))
}
`

const called = (project: Project): { args: string[]; status: number; stderr: string }[] =>
  readFileSync(join(project.notes, 'called'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as never)

/** Nothing in the checkout or the run tells of a command. */
async function expectUntouched(project: Project, config: string): Promise<void> {
  expect(project.read('.looper/config.json')).toBe(config)
  expect(existsSync(join(project.root, '..', '.config', 'looper', 'config.json'))).toBe(false)
  const status = await project.status()
  expect(status).toMatchObject({
    status: 'completed',
    tasks: [
      { id: 'T001', status: 'done' },
      { id: 'T002', status: 'done' },
    ],
  })
  const types = project.events().map(({ type }) => type)
  for (const type of ['limits.changed', 'stop.requested', 'rollback.requested', 'run.applied', 'run.discarded'])
    expect(types).not.toContain(type)
  expect(JSON.parse((await project.looper('runs', '--json')).stdout)).toHaveLength(1)
  expect(project.git('log', '--format=%s', 'main')).toBe('start')
}

describe('a coder that calls every command that changes something', () => {
  test.each([
    ['as it is', '[]'],
    ['with LOOPER_INSIDE unset', `['env', '-u', 'LOOPER_INSIDE']`],
    ['with LOOPER_INSIDE and the mark unset', `['env', '-u', 'LOOPER_INSIDE', '-u', 'LOOPER_MARK']`],
    [
      'with an empty environment, in a session of its own',
      `['env', '-i', 'HOME=' + home, 'PATH=' + env.PATH, 'setsid', '-w']`,
    ],
  ])('%s', async (_, before) => {
    const project = create({
      config: quick,
      agent: `${calling}
if (task === 'T001') for (const args of ${JSON.stringify(commands)}) call(${before}, args)
${cooperative}`,
    })
    const config = project.read('.looper/config.json')
    expect(await project.looper('run', 'make two files')).toMatchObject({ code: 0 })
    const calls = called(project)
    expect(calls.map(({ args }) => args)).toEqual(commands)
    for (const { args, status, stderr } of calls) {
      expect({ args, status, stderr }).toEqual({
        args,
        status: 2,
        stderr: expect.stringMatching(/^looper: This command is refused inside a run: [^\n]+\n {2}[^\n]+\n$/),
      })
    }
    await expectUntouched(project, config)
  })

  test('after it left its parents: its workspace, its output or its limit still says where it comes from', async () => {
    const project = create({
      config: quick,
      agent: `${calling}
const limit = looper(['limit', '--turns', '999']).map((word) => "'" + word + "'").join(' ')
const away = (where, line) => spawn('setsid', ['env', '-i', 'HOME=' + home, 'sh', '-c', 'sleep 0.3; cd ' + where + ' && ' + line + '; echo $? >> ' + env.NOTES + '/left'],
  { detached: true, stdio: ['ignore', 'inherit', 'ignore'] }).unref()
if (task === 'T001') {
  away(process.cwd(), limit + ' > /dev/null 2>&1')
  away('/', limit)
  const orphan = '(sleep 0.3; cd / && ' + limit + ' > /dev/null 2>&1; echo $? >> ' + env.NOTES + '/left) &'
  spawn('setsid', ['env', '-i', 'HOME=' + home, 'sh', '-c', orphan], { detached: true, stdio: 'ignore' }).unref()
  while (!fs.existsSync(env.NOTES + '/left') || fs.readFileSync(env.NOTES + '/left', 'utf8').split('\\n').length < 4) await sleep(50)
}
${cooperative}`,
    })
    const config = project.read('.looper/config.json')
    expect(await project.looper('run', 'make two files')).toMatchObject({ code: 0 })
    expect(readFileSync(join(project.notes, 'left'), 'utf8')).toBe('2\n2\n2\n')
    await expectUntouched(project, config)
  })

  // The sandbox hides the checkout, and what could be read of it.
  if (usualSandbox === 'off') {
    test('commands that read work', async () => {
      const project = create({
        config: quick,
        agent: `${calling}
if (task === 'T001') for (const args of [['status'], ['ls'], ['runs', '--json'], ['tail'], ['config'], ['run', 'x', '--dry-run'], ['--help']]) call([], args)
${cooperative}`,
      })
      expect(await project.looper('run', 'make two files')).toMatchObject({ code: 0 })
      expect(called(project).map(({ status, stderr }) => ({ status, stderr }))).toEqual(
        called(project).map(() => ({ status: 0, stderr: '' })),
      )
    })
  }
})

test('a check that raises the limits of its run is refused, with and without the variable', async () => {
  const project = create()
  const limit = `'${process.execPath}' '${program}' -C '${project.root}' limit --turns 999`
  project.configure({ ...quick, checks: [`${limit}; test $? = 2`, `env -u LOOPER_INSIDE ${limit}; test $? = 2`] })
  const config = project.read('.looper/config.json')
  expect(await project.looper('run', 'make two files')).toMatchObject({ code: 0 })
  await expectUntouched(project, config)
})

describe('a coder that edits the configuration', () => {
  const edits = `
const mine = { checks: [], guard: 'off', review: false, limits: { turns: 999, newTasks: 999 }, workspace: { setup: ['touch ' + env.NOTES + '/set-up'], copy: ['secret'] },
  hooks: { onEnd: ['touch ' + env.NOTES + '/hooked; true'], postIteration: ['touch ' + env.NOTES + '/hooked; true'] } }
const edit = (file) => {
  try { const old = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {}; write(file, JSON.stringify({ ...old, ...mine })) }
  catch { note('refused', file) }
}
`
  const asking = `${calling}${edits}
if (task === 'T001') edit(path.join(root, '.looper/config.json'))
if (task === 'T001' && attempt === 1) edit(path.resolve('.looper/config.json'))
if (task === 'T001' && attempt === 1) { answer({ status: 'needs_clarification', questions: [{ text: 'which?' }] }); process.exit(0) }
${cooperative}`

  test('neither the run under way nor the one that is resumed changes, and resume names what was edited', async () => {
    const project = create({
      config: { ...quick, checks: ['test -f README.md'], limits: { turns: 20 } },
      agent: asking,
    })
    const before = project.read('.looper/config.json')
    expect(await project.looper('run', 'make two files')).toMatchObject({ code: 3 })
    const isEdited = usualSandbox === 'off'
    expect(project.read('.looper/config.json') !== before).toBe(isEdited)
    expect(await project.looper('answer', 'Q1', 'that one')).toMatchObject({ code: 0 })
    const { code, stderr } = await project.looper('resume')
    expect({ code, lines: stderr.trimEnd().split('\n') }).toEqual({
      code: 0,
      lines: [isEdited ? expect.stringMatching(/changed since the run began \(.*checks.*guard/) : ''],
    })
    if (!isEdited) expect(project.read('.looper/config.json')).toBe(before)
    for (const trace of ['set-up', 'hooked']) expect(existsSync(join(project.notes, trace)), trace).toBe(false)
    const status = await project.status()
    expect(status).toMatchObject({ status: 'completed' })
    for (const { evidence } of status.tasks)
      expect(evidence).toMatchObject([{ check: 'test -f README.md', exitCode: 0 }])
  })

  // In the sandbox nothing is edited that a person could take over.
  if (usualSandbox === 'off') {
    test('a person takes set-up and hooks over with --settings', async () => {
      const project = create({
        config: { ...quick, checks: ['true'] },
        agent: asking.replace(`copy: ['secret']`, 'copy: []'),
      })
      expect(await project.looper('run', 'make two files')).toMatchObject({ code: 3 })
      expect(await project.looper('answer', 'Q1', 'that one')).toMatchObject({ code: 0 })
      expect(await project.looper('resume', '--settings')).toMatchObject({ code: 0, stderr: '' })
      for (const trace of ['set-up', 'hooked']) expect(existsSync(join(project.notes, trace)), trace).toBe(true)
      expect((await project.status()).tasks.every(({ evidence }) => evidence.length === 1)).toBe(true)
    })
  }
})

describe('a coder that floods the run', () => {
  const many = (count: number): string => `Array.from({ length: ${count} }, (_, n) => ({ title: 'more ' + n }))`
  const flooding = (count: number): string => `
if (role === 'planner') answer({ tasks: [{ id: 'T001', title: 'one' }, { id: 'T002', title: 'two' }] })
if (role === 'coder') {
  write(task + '.txt', task)
  answer({ status: 'complete', newTasks: ${many(count)}, questions: Array.from({ length: 40 }, (_, n) => ({ text: 'q' + n, default: 'x' })), decisions: Array.from({ length: 40 }, (_, n) => ({ title: 'd' + n })) })
}`

  test('with tasks, questions and decisions: the run completes within its bounds and reports the rest', async () => {
    const project = create({ config: { ...quick, limits: { newTasks: 4 } }, agent: flooding(50) })
    expect(await project.looper('run', 'flood')).toMatchObject({ code: 0 })
    const status = await project.status()
    expect(status.tasks).toHaveLength(6)
    expect(status.turns).toBe(7)
    const findings = project.events().flatMap((event) => (event.type === 'finding.raised' ? [event.title] : []))
    expect(findings).toContain('46 of 50 new tasks were not accepted')
    expect(findings).toContain('30 of 40 questions were not accepted')
    expect(findings).toContain('20 of 40 decisions were not accepted')
    expect((await project.looper('report')).stdout).toContain('new tasks were not accepted')
  })

  test('limits.turns holds whatever it adds', async () => {
    const project = create({ config: { ...quick, parallel: 1, limits: { turns: 3 } }, agent: flooding(50) })
    expect(await project.looper('run', 'flood')).toMatchObject({ code: 3 })
    expect(await project.status()).toMatchObject({ status: 'paused', turns: 3 })
  })
})

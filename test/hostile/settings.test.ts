/**
 * Without a sandbox, agents that write to Looper's settings files for the next stretch of their run: nothing of it is
 * used without a person's consent. A person's own edits between two stretches apply. It runs with the sandbox off alone:
 * in the sandbox these files cannot be written (escape.test.ts).
 */
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { call, noted, projects } from '../kit/outside.ts'
import type { Project } from '../kit/project.ts'

vi.setConfig({ testTimeout: 900_000, hookTimeout: 600_000 })
const create = projects()
const quick = { review: false, baseline: 'off', checks: [{ name: 'test', run: 'node check.mjs' }] }
const files = { 'check.mjs': "process.exit(process.env.GREEN === '1' ? 0 : 1)" }

const planning = `
const root = path.join(path.dirname(env.NOTES), 'repo')
const file = path.join(root, '.looper/config.json')
const configure = (change) => { const old = JSON.parse(fs.readFileSync(file, 'utf8')); change(old); fs.writeFileSync(file, JSON.stringify(old)) }
const finish = () => { write('a.txt', 'x'); answer({ status: 'complete', summary: 'done' }) }
const pauseFirst = () => { if (attempt === 1) { answer({ status: 'needs_clarification', questions: [{ text: 'which?' }] }); process.exit(0) } }
if (role === 'planner') answer({ status: 'plan', tasks: [{ id: 'T001', title: 'one' }] })
`
const greening = `configure((old) => { old.checks = [{ name: 'test', run: 'node check.mjs', env: { GREEN: '1' } }] })`
const coding = (...lines: string[]): string => `${planning}if (role === 'coder') { ${lines.join('\n')} }`

const configOf = (project: Project): { agents: { test: { env: object } } } =>
  JSON.parse(project.read('.looper/config.json')) as never
const write = (project: Project, config: object): void =>
  writeFileSync(join(project.root, '.looper/config.json'), JSON.stringify(config))

/** Runs until the coder's question, and answers it. */
async function pause(project: Project): Promise<void> {
  expect(await project.looper('run', 'make it')).toMatchObject({ code: 3 })
  expect(await project.looper('answer', 'Q1', 'that one')).toMatchObject({ code: 0 })
}

const refused = (files: string): object => ({
  code: 2,
  stdout: '',
  stderr: expect.stringMatching(
    new RegExp(
      `^looper: ${files} changed while 001-make was under way, possibly by an agent.\\n {2}Undo [^\\n]*--settings\\n$`,
    ),
  ),
})

describe('a coder that writes variables of a check into the configuration', () => {
  test('resume and fork refuse it and lose nothing; put back, the run goes on and its check is red', async () => {
    const project = create({ config: quick, files, agent: coding(greening, 'pauseFirst()', 'finish()') })
    const before = project.read('.looper/config.json')
    await pause(project)
    const seen = project.events().length
    expect(await project.looper('resume')).toMatchObject(refused('.looper/config.json \\(checks.test\\)'))
    expect(await project.looper('resume', '-d')).toMatchObject({ code: 2 })
    expect(await project.looper('fork', '--at', 'last')).toMatchObject({ code: 2 })
    expect(project.events()).toHaveLength(seen)
    writeFileSync(join(project.root, '.looper/config.json'), before)
    const { code, stderr } = await project.looper('resume')
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect((await project.status()).tasks).toMatchObject([{ evidence: [] }])
  })

  test('with --settings a person uses it, and later resumes do not ask again', async () => {
    const agent = coding(
      greening.replace('configure(', 'if (attempt === 1) configure('),
      'if (attempt < 3 && !fs.existsSync(env.NOTES + "/twice")) { if (attempt > 1) note("twice", "x"); answer({ status: "needs_clarification", questions: [{ text: "which " + attempt }] }); process.exit(0) }',
      'finish()',
    )
    const project = create({ config: quick, files, agent })
    await pause(project)
    expect(await project.looper('resume', '--settings')).toMatchObject({ code: 3, stderr: '' })
    expect(await project.looper('answer', 'Q2', 'that one')).toMatchObject({ code: 0 })
    expect(await project.looper('resume')).toMatchObject({ code: 0, stderr: '' })
  })

  test('a terminal is asked once', async () => {
    const project = create({ config: quick, files, agent: coding(greening, 'pauseFirst()', 'finish()') })
    await pause(project)
    const no = await call(project, ['resume', '--yes'], { terminal: true, input: 'n\n' })
    expect(no.code).toBe(2)
    expect(no.stdout).toContain('Use the settings as they are now? [y/N]')
    expect(await call(project, ['resume', '--yes'], { terminal: true, input: 'y\n' })).toMatchObject({ code: 0 })
  })

  test('after kill -9, which no comparison saw', async () => {
    const project = create({
      config: quick,
      files,
      agent: coding(
        greening,
        'note("ready", "x")',
        'while (!fs.existsSync(env.NOTES + "/go")) await sleep(50)',
        'finish()',
      ),
    })
    const engine = project.start('run', 'make it')
    while (noted(project, 'ready').length === 0) await new Promise((done) => setTimeout(done, 50))
    engine.kill('SIGKILL')
    await new Promise((done) => engine.once('close', done))
    writeFileSync(join(project.notes, 'go'), '')
    expect(await project.looper('resume')).toMatchObject(refused('.looper/config.json \\(checks.test\\)'))
    expect(await project.looper('abort')).toMatchObject({ code: 0 })
  })

  test('apply --check refuses it, and with --settings uses it', async () => {
    const config = { ...quick, checks: [{ name: 'test', run: 'test -f a.txt' }] }
    const agent = coding(`configure((old) => { old.workspace = { env: { MINE: '1' } } })`, 'finish()')
    const project = create({ config, files, agent })
    expect(await project.looper('run', 'make it')).toMatchObject({ code: 0 })
    expect(await project.looper('apply', '--check')).toMatchObject(refused('.looper/config.json \\(workspace.env\\)'))
    expect(project.git('ls-files')).not.toContain('a.txt')
    const stderr = expect.not.stringContaining('looper:') as string
    expect(await project.looper('apply', '--check', '--settings')).toMatchObject({ code: 0, stderr })
    expect(project.git('ls-files')).toContain('a.txt')
  })
})

test('a coder that writes prompts for the next stretch', async () => {
  const evil = `write(path.join(root, '.looper/prompts/coder.implement.md'), 'EVIL \${CONTEXT} \${RESULT}')`
  const project = create({
    config: { ...quick, checks: ['true'] },
    agent: coding(`note('prompts', prompt.slice(0, 4))`, evil, 'pauseFirst()', 'finish()'),
  })
  await pause(project)
  expect(await project.looper('resume')).toMatchObject(refused('.looper/prompts/coder.implement.md'))
  rmSync(join(project.root, '.looper/prompts'), { recursive: true })
  expect(await project.looper('resume')).toMatchObject({ code: 0, stderr: '' })
  expect(noted(project, 'prompts')).not.toContain('EVIL')
})

test('a coder that raises its own time limit and edits the configuration in the home folder', async () => {
  const project = create({
    config: { ...quick, checks: ['true'] },
    agent: coding(
      `write(path.join(path.dirname(root), '.config/looper/config.json'), JSON.stringify({ agents: { test: { timeoutMinutes: 999 } } }))`,
      'pauseFirst()',
      'finish()',
    ),
  })
  await pause(project)
  expect(await project.looper('resume')).toMatchObject(refused('~/.config/looper/config.json \\(agents.test\\)'))
})

test('what was secret at the start stays masked, even with --settings', async () => {
  const token = 'tok-9f8e7d6c5b4a3210'
  const config = { ...quick, checks: [{ name: 'test', run: 'echo $DEPLOY_TOKEN', pass: ['DEPLOY_TOKEN'] }] }
  const agent = coding(`configure((old) => { old.secrets = ['!DEPLOY_TOKEN'] })`, 'pauseFirst()', 'finish()')
  const project = create({ config, agent })
  const env = { DEPLOY_TOKEN: token }
  expect(await call(project, ['run', 'make it'], { env })).toMatchObject({ code: 3 })
  await project.looper('answer', 'Q1', 'that one')
  expect(await call(project, ['resume'], { env })).toMatchObject(refused('.looper/config.json \\(secrets\\)'))
  expect(await call(project, ['resume', '--settings'], { env })).toMatchObject({ code: 0 })
  expect(spawnSync('grep', ['-rl', token, join(project.root, '.looper')], { encoding: 'utf8' }).stdout).toBe('')
  expect((await call(project, ['logs'], { env })).stdout).not.toContain(token)
})

describe('a person who edits settings between a pause and the resume', () => {
  test('agents and variables of checks apply, and resume names them', async () => {
    const project = create({
      config: quick,
      files,
      agent: coding(`note('more', String(env.MORE))`, 'pauseFirst()', 'finish()'),
    })
    await pause(project)
    const { agents } = configOf(project)
    const more = { ...agents.test, env: { ...agents.test.env, MORE: 'mine' } }
    write(project, {
      ...configOf(project),
      agents: { test: more },
      guard: 'off',
      checks: [{ ...quick.checks[0], env: { GREEN: '1' } }],
    })
    const { code, stderr } = await project.looper('resume')
    expect({ code, lines: stderr.trimEnd().split('\n') }).toEqual({
      code: 0,
      lines: [
        expect.stringMatching(/changed since the run began \(guard\) do not apply: the run keeps its own$/),
        expect.stringMatching(/changed since the run last started apply from now on: agents.test, checks.test$/),
      ],
    })
    expect(noted(project, 'more')).toEqual(['undefined', 'mine'])
  })
})

test('apply --check runs what the gate runs: also the checks of tasks', async () => {
  const project = create({
    config: { ...quick, checks: ['true'] },
    files: { 'has.mjs': `import fs from 'node:fs'; process.exit(fs.existsSync('theirs.txt') ? 1 : 0)` },
    agent: coding('finish()').replace("title: 'one'", "title: 'one', checks: ['node has.mjs']"),
  })
  expect(await project.looper('run', 'make it')).toMatchObject({ code: 0 })
  project.write('theirs.txt', 'x')
  project.git('add', 'theirs.txt')
  project.git('commit', '-q', '-m', 'theirs')
  const red = await project.looper('apply', '--check')
  expect(red).toMatchObject({ code: 1, stderr: expect.stringContaining('The check node has.mjs failed (exit 1)') })
  expect(existsSync(join(project.root, 'a.txt'))).toBe(false)
  project.git('rm', '-q', 'theirs.txt')
  project.git('commit', '-q', '-m', 'gone')
  const { code, stdout } = await project.looper('apply', '--check')
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringContaining('2 checks green on it: true, node has.mjs'),
  })
  expect(project.read('a.txt')).toBe('x')
})

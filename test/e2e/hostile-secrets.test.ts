import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { below, codes, everyText, limits, only, quick } from '../kit/hostile-words.ts'
import { beside, call, listening, noted, projects } from '../kit/outside.ts'

const create = projects()
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

describe.concurrent('secrets', () => {
  const secret = 'hunter2-"quoted"\\back$&(x)'
  const configured = 'configured-value-123456'

  test('values of secret variables are masked wherever an agent, a check or a set-up prints them', async () => {
    const project = create({
      agent: `${listening}
const secrets = [env.ANTHROPIC_API_KEY, env.MY_TOKEN]
note('saw', String(secrets.every((value) => value?.length > 10)))
for (const value of secrets) {
  process.stderr.write('stderr ' + value + '\\n'); process.stdout.write('raw ' + value + '\\n')
  say({ type: 'message', text: 'the key is ' + value }); say({ type: 'session', id: value }); say({ type: 'tool_use', name: value, input: { [value]: value } })
}
const all = secrets.join(' and ')
if (role === 'planner') answer({ analysis: all, tasks: [{ id: 'T001', title: 'use ' + all, description: all, criteria: [all] }, { id: 'T002', title: 'crash' }], decisions: [{ title: all, choice: all }], [all]: all })
if (role === 'supervisor') answer({ score: 90, summary: all, feedback: all, issues: [{ severity: 'minor', message: all }] })
if (role === 'tester') answer({ status: 'passed', total: 1, summary: all })
if (role === 'coder' && task === 'T002' && attempt === 1) { say({ type: 'error', kind: 'unknown', message: all }); process.exit(1) }
if (role === 'coder') { write(task + '.txt', 'made'); answer({ status: 'complete', summary: all }) }`,
    })
    project.configure({
      agents: {
        test: {
          command: [process.execPath, join(dirname(project.root), 'agent.mjs')],
          env: { NOTES: project.notes, MY_TOKEN: configured },
        },
      },
      secrets: ['MY_TOKEN'],
      checks: [
        {
          name: 'see',
          run: 'echo "check sees $OTHER_SECRET $MY_TOKEN"; test -e T001.txt',
          pass: ['OTHER_SECRET', 'MY_TOKEN'],
        },
      ],
      limits: { ...limits, attempts: 2, fixCycles: 1 },
      parallel: 1,
    })
    const env = { ANTHROPIC_API_KEY: secret, OTHER_SECRET: 'another-secret-value', MY_TOKEN: undefined }
    const { code, stdout, stderr } = await call(project, ['run', 'keep quiet'], { env })
    expect(code).toBe(0)
    expect(new Set(noted(project, 'saw'))).toEqual(new Set(['true']))
    const printed = stdout + stderr + (await everyText(project))
    const told = [secret, JSON.stringify(secret).slice(1, -1), configured, 'another-secret-value']
    for (const value of told) expect(printed).not.toContain(value)
    expect(printed).toContain('[ANTHROPIC_API_KEY]')
    const kept = below(join(project.root, '.looper')).filter(
      (path) => lstatSync(path).isFile() && !path.endsWith('/config.json'),
    )
    expect(kept.length).toBeGreaterThan(20)
    const leaks = kept.flatMap((path) =>
      told.filter((value) => readFileSync(path, 'utf8').includes(value)).map((value) => `${path} holds ${value}`),
    )
    expect(leaks).toEqual([])
    expect(kept.some((path) => path.endsWith('/stream') && readFileSync(path, 'utf8').includes('[MY_TOKEN]'))).toBe(
      true,
    )
  })

  test('a failing set-up and the error of a run that pauses are masked too', async () => {
    const project = create({
      config: {
        ...quick,
        secrets: ['SETUP_THING'],
        workspace: { setup: ['echo "token is $SETUP_THING"; exit 1'], pass: ['SETUP_THING'] },
      },
    })
    const { code, stdout, stderr } = await call(project, ['run', 'quiet set-up'], {
      env: { SETUP_THING: 'set-up-secret' },
    })
    expect(code).toBe(3)
    expect(stdout + stderr).toContain('[SETUP_THING]')
    expect(stdout + stderr + JSON.stringify(project.events())).not.toContain('set-up-secret')
  })

  test('config --json and the journal report no value of an agent’s environment', async () => {
    const project = create({ config: quick })
    project.configure({
      agents: {
        test: {
          command: [process.execPath, join(dirname(project.root), 'agent.mjs')],
          env: { NOTES: project.notes, PLAIN: 'value-in-config' },
        },
      },
    })
    const shown = await call(project, ['config', '--json'])
    expect(shown.stdout).not.toContain('value-in-config')
    expect((await call(project, ['config'])).stdout).not.toContain('value-in-config')
    expect((await call(project, ['doctor'])).stdout).not.toContain('value-in-config')
    expect((await call(project, ['run', 'x', '--dry-run', '--json'])).stdout).not.toContain('value-in-config')
  })
})

describe.concurrent('proposals of agents', () => {
  test('a proposed check never runs in a shell; prose and missing programs neither prove nor fail anything', async () => {
    const project = create({
      config: { ...quick, limits: { ...limits, fixCycles: 0 } },
      agent: `${listening}
if (role === 'planner') answer({ tasks: [{ id: 'T001', title: 'x', checks: ['touch owned; true', 'sh -c "echo $HOME" | tee owned', 'Make sure that it works', 'no-such-program --version', 'test -e made-1.txt', '$(touch owned)', 'true'] }, { id: 'T002', title: 'y', checks: ['test -e nowhere'] }] })
${codes}`,
    })
    const { code } = await project.looper('run', 'propose')
    expect(code).toBe(1)
    const { tasks, branch } = await project.status()
    expect(tasks).toMatchObject([
      {
        status: 'done',
        evidence: [
          { check: 'true', exitCode: 0 },
          { check: 'test -e made-1.txt', exitCode: 0 },
        ],
      },
      { status: 'failed', reason: expect.stringContaining('test -e nowhere') },
    ])
    expect(project.git('ls-tree', '--name-only', branch).split('\n')).toEqual(['README.md', 'made-1.txt'])
    expect(existsSync(join(project.root, 'owned'))).toBe(false)
  })

  test('an agent that turns on Looper’s own files of its turn harms only itself', async () => {
    const project = create({
      config: { ...quick, limits: { ...limits, attempts: 2 } },
      agent: `${only}
if (role === 'coder' && attempt === 1) { fs.rmSync(path.dirname(env.LOOPER_RESULT_FILE), { recursive: true, force: true }); process.exit(0) }
${codes}`,
    })
    const { code, stderr } = await project.looper('run', 'sabotage')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    beside(project, 'done', '')
    expect(
      execFileSync('git', ['fsck', '--no-dangling'], {
        cwd: project.root,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim(),
    ).toBe('')
  })
})

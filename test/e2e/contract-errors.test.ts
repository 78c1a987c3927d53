import { describe, expect, test, vi } from 'vitest'
import type { Event } from '../../src/model/event.ts'
import { beside, call, listening, noted, ownAgent, projects, received, turns } from '../kit/outside.ts'
import { cooperative, type Project } from '../kit/project.ts'

const create = projects()
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })
const found = <T extends Event['type']>(project: Project, type: T): Event<T>[] =>
  project.events().filter((event) => event.type === type) as never

/** One task, no judges: the coder is all that matters. */
const alone = { review: false, limits: { attempts: 1, goalIterations: 0, splitDepth: 0 } }
const onePlan = `if (role === 'planner') answer({ tasks: [{ id: 'T001', title: 'only' }] })`

describe.concurrent('errors by kind', () => {
  test('usage_limit: the run waits until resetsAt and continues; no attempt is used', async () => {
    const project = create({
      config: alone,
      agent: `${listening}${onePlan}
if (role === 'coder' && env.LOOPER_TURN === 'T001/a1/implement') {
  const resetsAt = new Date(Date.now() + 1500).toISOString()
  note('reset', resetsAt)
  say({ type: 'error', kind: 'usage_limit', message: 'come back later', resetsAt })
  process.exit(1)
}
if (role === 'coder') { note('again', new Date().toISOString()); write('x.txt', 'x'); answer({ status: 'complete' }) }`,
    })
    expect(await project.looper('run', 'wait')).toMatchObject({ code: 0, stderr: '' })
    expect(await project.status()).toMatchObject({ status: 'completed', tasks: [{ status: 'done', attempts: 1 }] })
    expect(turns(project)).toHaveLength(3)
    expect(turns(project).at(-1)).toMatch(/^T001\/a1\/implement\S+ coder implement$/)
    expect(noted(project, 'again')[0]! >= noted(project, 'reset')[0]!).toBe(true)
    expect(
      found(project, 'work.started').filter(({ work }) => work.kind === 'wait' && work.id.startsWith('T001')),
    ).toMatchObject([{ work: { until: noted(project, 'reset')[0] } }])
  })

  test.each(['auth', 'config'])('%s: paused, exit 3, one clear line; after a fix, resume finishes', async (kind) => {
    const project = create({
      config: alone,
      agent: `${listening}${onePlan}
if (role === 'coder' && !fs.existsSync(path.join(env.NOTES, 'fixed'))) say({ type: 'error', kind: '${kind}', message: 'no entry without a key' })
else if (role === 'coder') { write('x.txt', 'x'); answer({ status: 'complete' }) }`,
    })
    const paused = await project.looper('run', 'unlock it')
    expect(paused).toMatchObject({ code: 3, stderr: '' })
    expect(paused.stdout).toMatch(/paused.*no entry without a key/)
    expect(await project.status()).toMatchObject({
      status: 'paused',
      reason: expect.stringContaining('no entry without a key'),
      tasks: [{ attempts: 1 }],
    })
    expect(found(project, 'run.paused')).toMatchObject([{ reason: { kind } }])
    expect(turns(project)).toHaveLength(2)
    expect(await project.looper('resume')).toMatchObject({ code: 3 })
    beside(project, 'notes/fixed', '')
    expect(await project.looper('resume')).toMatchObject({ code: 0, stderr: '' })
    expect(await project.status()).toMatchObject({ status: 'completed', tasks: [{ status: 'done', attempts: 1 }] })
  })

  test('onUsageLimit: "pause" and too long a wait pause until a person resumes, "fallback" goes on with the next agent', async () => {
    const resetsAt = new Date(Date.now() + 3_600_000).toISOString()
    const body = `${listening}${onePlan}
if (role === 'coder' && !fs.existsSync(path.join(env.NOTES, 'fixed'))) say({ type: 'error', kind: 'usage_limit', message: 'used up', resetsAt: '${resetsAt}' })
else if (role === 'coder') { write('x.txt', 'x'); answer({ status: 'complete' }) }`
    for (const config of [
      { ...alone, onUsageLimit: 'pause' },
      { ...alone, limits: { ...alone.limits, waitMinutes: 1 } },
    ]) {
      const pausing = create({ config, agent: body })
      expect(await pausing.looper('run', 'pause')).toMatchObject({ code: 3 })
      expect(await pausing.status()).toMatchObject({ status: 'paused', reason: expect.stringContaining('usage_limit') })
      beside(pausing, 'notes/fixed', '')
      expect(await pausing.looper('resume')).toMatchObject({ code: 0, stderr: '' })
      expect(await pausing.status()).toMatchObject({ tasks: [{ attempts: 1, status: 'done' }] })
    }

    // Configured fallbacks are used without another setting.
    for (const wanted of [{ onUsageLimit: 'fallback' }, {}]) {
      const falling = create({ agent: body })
      const other = beside(falling, 'other.sh', '#!/bin/sh\necho x > x.txt\necho "{\\"status\\":\\"complete\\"}"\n')
      falling.configure({
        ...alone,
        ...wanted,
        agent: 'first',
        agents: { first: { ...ownAgent(falling), fallback: ['second'] }, second: { command: [other] } },
      })
      expect(await falling.looper('run', 'fall back')).toMatchObject({ code: 0 })
      expect(await falling.status()).toMatchObject({ tasks: [{ attempts: 1, status: 'done' }] })
    }
  })

  test('exit ≠ 0 with a result is that result; without one it is a crash, tried once more, and then the attempt fails', async () => {
    const project = create({
      config: { ...alone, limits: { ...alone.limits, attempts: 2 } },
      agent: `${listening}
if (role === 'planner') { answer({ tasks: [{ id: 'T001', title: 'well' }, { id: 'T002', title: 'ill' }] }); process.exit(7) }
if (task === 'T001') { write('x.txt', 'x'); answer({ status: 'complete' }); process.exit(1) }
if (attempt === 1) { process.stderr.write('the reason is on stderr'); process.exit(9) }
write('y.txt', 'y'); answer({ status: 'complete' })`,
    })
    expect(await project.looper('run', 'exit')).toMatchObject({ code: 0 })
    expect(await project.status()).toMatchObject({
      tasks: [
        { id: 'T001', attempts: 1 },
        { id: 'T002', attempts: 2 },
      ],
    })
    expect(turns(project).filter((turn) => turn.startsWith('T002'))).toEqual([
      'T002/a1/implement coder implement',
      expect.stringMatching(/^T002\/a1\/implement\S+ coder implement$/),
      'T002/a2/implement coder implement',
    ])
    expect(found(project, 'attempt.failed')).toMatchObject([
      {
        task: 'T002',
        failure: { kind: 'agent', error: 'crash', summary: expect.stringContaining('the reason is on stderr') },
      },
    ])
    expect(received(project, 'T002/a2/implement')).toContain('the reason is on stderr')
  })

  test('an unknown kind, an event without one, and an error beside a good answer', async () => {
    const project = create({
      config: { ...alone, limits: { ...alone.limits, attempts: 2 } },
      agent: `${listening}${onePlan}
if (role === 'coder' && attempt === 1) { say({ type: 'error', kind: 'bad_moon', message: 'rising' }); say({ type: 'error' }); process.exit(0) }
if (role === 'coder') { say({ type: 'error', kind: 'auth', message: 'only a warning' }); write('x.txt', 'x'); answer({ status: 'complete' }) }`,
    })
    expect(await project.looper('run', 'kinds')).toMatchObject({ code: 0 })
    expect(found(project, 'attempt.failed')).toMatchObject([{ failure: { error: 'unknown' } }])
  })
})

describe.concurrent('invalid results', () => {
  const cases = [
    ['not JSON at all', `console.log('I did it, trust me')`, /JSON/],
    ['a wrong type', `answer({ status: 'finished' })`, /status/],
    ['an array', `answer([{ status: 'complete' }])`, /./],
    ['cut off', `fs.writeFileSync(env.LOOPER_RESULT_FILE, '{"status": "comp')`, /JSON/],
    ['nothing', ``, /./],
  ] as const
  test.each(cases)(
    '%s: exactly one repair turn, same role and purpose, with the errors in its prompt',
    async (_, reply, told) => {
      const project = create({
        config: alone,
        agent: `${listening}${onePlan}
if (role === 'coder') {
  write('x.txt', 'x')
  if (env.LOOPER_TURN === 'T001/a1/implement') { ${reply} } else answer({ status: 'complete' })
}`,
      })
      expect(await project.looper('run', 'repair')).toMatchObject({ code: 0 })
      const [, first, second, ...rest] = turns(project)
      expect([first, rest]).toEqual(['T001/a1/implement coder implement', []])
      expect(second).toMatch(/^T001\/a1\/\S+ coder implement$/)
      const [before, after] = [received(project, 'T001/a1/implement'), received(project, second!.split(' ')[0]!)]
      expect(after.length).toBeGreaterThan(before.length)
      const news = after
        .split('\n')
        .filter((line) => !before.includes(line))
        .join('\n')
      expect(news).toMatch(told)
      expect(await project.status()).toMatchObject({ turns: 3, tasks: [{ attempts: 1, status: 'done' }] })
    },
  )

  test('still invalid after it: the attempt fails as bad_response, and the run says so', async () => {
    const project = create({
      config: alone,
      agent: `${listening}${onePlan}
if (role === 'coder') { write('x.txt', 'x'); answer({ status: 'sort of' }) }`,
    })
    const { code, stdout } = await project.looper('run', 'repair')
    expect(code).toBe(1)
    expect(stdout).toContain('bad_response')
    expect(turns(project)).toHaveLength(3)
    expect(found(project, 'attempt.failed')).toMatchObject([{ failure: { kind: 'agent', error: 'bad_response' } }])
    expect(await project.status()).toMatchObject({
      status: 'failed',
      tasks: [{ status: 'failed', reason: expect.stringContaining('status') }],
    })
  })
})

describe.concurrent('exit codes', () => {
  test('a reached limit is exit 3, and a resume with a higher one continues; 0 means none at all', async () => {
    const project = create({ config: { ...alone, limits: { turns: 1 } }, agent: `${listening}${cooperative}` })
    const stopped = await project.looper('run', 'make two files')
    expect(stopped).toMatchObject({ code: 3, stderr: '' })
    expect(stopped.stdout).toContain('--turns')
    expect(await project.status()).toMatchObject({
      status: 'paused',
      reason: expect.stringContaining('turns'),
      turns: 1,
    })
    expect(await project.looper('resume')).toMatchObject({ code: 3 })
    expect(await project.looper('resume', '--turns', '10')).toMatchObject({ code: 0 })
    expect(await project.looper('resume')).toMatchObject({ code: 2, stderr: expect.stringContaining('completed') })
    expect(turns(project)).toHaveLength(3)
    const none = await call(project, ['run', 'nothing'], { env: { LOOPER_LIMITS_TURNS: '0' } })
    expect(none.code).toBe(3)
    expect(turns(project)).toHaveLength(3)
  })

  test('reported cost and tokens count towards the limits', async () => {
    const body = `${listening}say({ type: 'usage', inputTokens: 600, outputTokens: 0, costUsd: 0.6 })\n${cooperative}`
    for (const limits of [{ costUsd: 1 }, { tokens: 1000 }]) {
      const project = create({ agent: body, config: { ...alone, limits: { ...alone.limits, ...limits } } })
      expect(await project.looper('run', 'spend')).toMatchObject({ code: 3 })
      expect(turns(project)).toHaveLength(2)
      expect(await project.status()).toMatchObject({ status: 'paused', usage: { costUsd: 1.2, inputTokens: 1200 } })
    }
  })

  test('nothing to look at is 2 with a hint, for every command that needs a run', async () => {
    const project = create()
    const all = await Promise.all(
      ['status', 'ls', 'tail', 'report', 'diff', 'apply', 'resume', 'stop'].map((name) => project.looper(name)),
    )
    for (const { code, stdout, stderr } of all) {
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr.trimEnd().split('\n')).toHaveLength(2)
    }
    expect(await project.looper('runs', '--json')).toMatchObject({ code: 0, stdout: '[]\n' })
  })
})

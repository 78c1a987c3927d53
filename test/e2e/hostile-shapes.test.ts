import { existsSync, lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { codes, found, limits, only, quick } from '../kit/hostile-words.ts'
import { call, listening, noted, obeyed, projects, received, turns } from '../kit/outside.ts'

const create = projects()
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

describe.concurrent('shapes', () => {
  test('__proto__ in answers pollutes nothing; extra keys of any kind are kept', async () => {
    const project = create({
      config: quick,
      agent: `
if (role === 'planner') fs.writeFileSync(env.LOOPER_RESULT_FILE, '{"__proto__":{"status":"needs_clarification","polluted":1},"constructor":{"prototype":{"polluted":1}},"tasks":[{"id":"T001","title":"x","__proto__":{"dependsOn":["T001"],"priority":5}}]}')
${codes}`,
    })
    expect(await project.looper('run', 'pollute')).toMatchObject({ code: 0, stderr: '' })
    const { tasks } = await project.status()
    expect(tasks).toMatchObject([{ id: 'T001', status: 'done', dependsOn: [] }])
  })

  test('too deep, too many, too large: invalid, repaired once', async () => {
    const cases = [
      `fs.writeFileSync(env.LOOPER_RESULT_FILE, '{"status":"complete","x":' + '['.repeat(50000) + ']'.repeat(50000) + '}')`,
      `process.stdout.write('{"status":"complete","x":' + '{"a":'.repeat(30000) + '1' + '}'.repeat(30001) + '\\n')`,
      `fs.writeFileSync(env.LOOPER_RESULT_FILE, JSON.stringify({ status: 'complete', x: Array.from({ length: 400000 }, () => 1) }))`,
      `fs.writeFileSync(env.LOOPER_RESULT_FILE, JSON.stringify({ status: 'complete', summary: 'x'.repeat(9000000) }))`,
    ]
    const project = create({
      config: quick,
      agent: `${listening}
if (role === 'planner') answer({ tasks: [0, 1, 2, 3].map((n) => ({ title: 'shape ' + n })) })
if (role === 'coder') {
  write(task + '.txt', 'x')
  if (!env.LOOPER_TURN.endsWith('implement')) answer({ status: 'complete' })
  else switch (Number(/shape (\\d)/.exec(prompt)[1])) { ${cases.map((code, n) => `case ${n}: ${code}; break`).join('\n')} }
}`,
    })
    const { code, stderr } = await project.looper('run', 'shapes')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(turns(project)).toHaveLength(1 + 2 * cases.length)
    expect(found(project, 'attempt.failed')).toEqual([])
    expect(lstatSync(join(project.root, '.looper/runs/last/events.jsonl')).size).toBeLessThan(1_000_000)
  })

  test('numbers beyond reason', async () => {
    const project = create({
      config: { limits: { ...limits, costUsd: null, tokens: null } },
      agent: `${listening}
process.stdout.write('{"type":"usage","inputTokens":1e999,"outputTokens":-5,"costUsd":"many"}\\n{"type":"usage","inputTokens":3.7,"outputTokens":9007199254740993,"costUsd":1e-9}\\n')
const raw = (text) => fs.writeFileSync(env.LOOPER_RESULT_FILE, text)
if (role === 'planner') raw('{"tasks":[{"id":"T001","title":"last","priority":1.7976931348623157e308},{"id":"T002","title":"first","priority":-1e300},{"id":"T003","title":"middle","priority":0.5}]}')
if (purpose === 'review-plan') raw('{"score":1000000}')
if (purpose === 'verify-task') raw('{"score":70.4}')
if (purpose === 'verify-goal') raw('{"score":99999999999999999999999}')
if (role === 'tester') raw('{"status":"passed","total":1e300,"passed":-1,"failed":0}')
${codes}`,
    })
    project.configure({ parallel: 1, limits: { ...limits, costUsd: null, tokens: null } })
    expect(await project.looper('run', 'numbers')).toMatchObject({ code: 0, stderr: '' })
    expect(found(project, 'task.started').map(({ task }) => task)).toEqual(['T002', 'T003', 'T001'])
    for (const { verdict } of found(project, 'verdict.given')) expect(verdict.score).toBeGreaterThanOrEqual(0)
    expect(found(project, 'verdict.given').every(({ verdict: { score } }) => score <= 100)).toBe(true)
    const { usage } = await project.status()
    for (const amount of Object.values(usage)) expect(Number.isFinite(amount) && amount >= 0).toBe(true)
    const low = create({
      config: { limits: { ...limits, planRevisions: 0 }, onPlanRejected: 'abort' },
      agent: `${only}if (role === 'supervisor') answer({ score: -1e308 })`,
    })
    expect(await low.looper('run', 'low')).toMatchObject({ code: 1 })
    expect(found(low, 'verdict.given')).toMatchObject([{ verdict: { score: 0, level: 'refocus' } }])
  })

  test('long texts: a title of 100 KB, a thousand criteria, a summary of a novel', async () => {
    const project = create({
      config: quick,
      agent: `${listening}
if (role === 'planner') answer({ tasks: [{ id: 'T001', title: 'x'.repeat(102400), description: 'word '.repeat(20000), criteria: Array.from({ length: 1000 }, (_, n) => 'criterion ' + n) }] })
${codes}`,
    })
    const { code, stdout, stderr } = await call(project, ['run', 'long'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThan(300)
    const { branch } = await project.status()
    expect(project.git('log', '--format=%s', '-1', branch).length).toBeLessThanOrEqual(80)
    expect(received(project, 'T001/a1/implement').length).toBeLessThan(400_000)
    for (const args of [['ls'], ['status'], ['tail']])
      for (const line of (await project.looper(...args)).stdout.split('\n')) expect(line.length).toBeLessThan(300)
  })
})

describe.concurrent('streams', () => {
  test('binary floods, bytes that are no UTF-8, lines without end: the answer is found all the same', async () => {
    const project = create({
      config: quick,
      agent: `${only}
if (role === 'coder') {
  const noise = Buffer.alloc(1 << 20)
  for (let at = 0; at < noise.length; at++) noise[at] = (at * 2654435761) >>> 13
  for (let n = 0; n < 30; n++) fs.writeSync(1, noise)
  fs.writeSync(1, '\\n' + 'x'.repeat(12 << 20))
  fs.writeSync(1, Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28, 0x0a]))
  fs.writeSync(2, noise)
  write('x.txt', 'x')
  fs.writeSync(1, JSON.stringify({ status: 'complete', summary: 'after the flood' }) + '\\n')
}`,
    })
    const { code, stdout, stderr } = await call(project, ['run', 'flood'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(obeyed(stdout)).toEqual([])
    expect(found(project, 'work.finished').find(({ id }) => id === 'T001/a1/implement')?.outcome).toMatchObject({
      status: 'ok',
      result: { summary: 'after the flood' },
    })
  })

  test('a child left behind neither holds the turn up nor survives it', async () => {
    const project = create({
      config: quick,
      agent: `${only}
if (role === 'coder') {
  const { spawn } = await import('node:child_process')
  const child = spawn('sh', ['-c', 'sleep 300'], { detached: true, stdio: 'inherit' })
  note('child', String(child.pid)); child.unref()
  write('x.txt', 'x'); answer({ status: 'complete' })
  process.exit(0)
}`,
    })
    const begun = performance.now()
    expect(await project.looper('run', 'orphan')).toMatchObject({ code: 0 })
    expect(performance.now() - begun).toBeLessThan(60_000)
    const stat = `/proc/${noted(project, 'child')[0]}/stat`
    expect(existsSync(stat) && !/\) [ZX] /.test(readFileSync(stat, 'utf8'))).toBe(false)
  })

  test('a result file that is a link, a folder or a pipe is not read', async () => {
    const project = create({
      config: { ...quick, limits: { ...limits, attempts: 1 } },
      agent: `${listening}
const { execFileSync } = await import('node:child_process')
if (role === 'planner') answer({ tasks: ['link', 'folder', 'pipe'].map((title) => ({ title })) })
if (role === 'coder') {
  write(task + '.txt', 'x')
  const kind = /T00\\d: (link|folder|pipe)/.exec(prompt)[1]
  if (!env.LOOPER_TURN.endsWith('implement')) answer({ status: 'complete' })
  else if (kind === 'link') { fs.writeFileSync(path.join(env.NOTES, 'stolen'), '{"status":"complete","summary":"stolen"}'); fs.symlinkSync(path.join(env.NOTES, 'stolen'), env.LOOPER_RESULT_FILE) }
  else if (kind === 'folder') fs.mkdirSync(env.LOOPER_RESULT_FILE)
  else execFileSync('mkfifo', [env.LOOPER_RESULT_FILE])
}`,
    })
    expect(await project.looper('run', 'no file')).toMatchObject({ code: 0 })
    expect(turns(project)).toHaveLength(7)
    expect(JSON.stringify(project.events())).not.toContain('stolen')
  })
})

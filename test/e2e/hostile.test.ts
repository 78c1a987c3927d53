/**
 * Agents’ words are hostile: whatever they say, nothing escapes, nothing is obeyed, nothing is silently lost, and no
 * secret stays.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, existsSync, lstatSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import type { Event } from '../../src/model/event.ts'
import { beside, call, listening, noted, obeyed, projects, received, turns } from '../kit/outside.ts'
import type { Project } from '../kit/project.ts'

const create = projects()
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })
const found = <T extends Event['type']>(project: Project, type: T): Event<T>[] =>
  project.events().filter((event) => event.type === type) as never
const limits = { attempts: 1, goalIterations: 0, splitDepth: 0, fixCycles: 0 }
const quick = { review: false, limits }
const codes = `if (role === 'coder') { write('made-' + attempt + '.txt', task); answer({ status: 'complete' }) }\n`
const only = `if (role === 'planner') answer({ tasks: [{ id: 'T001', title: 'only' }] })\n`

/** Everything a terminal could misunderstand, a file name could abuse, or markdown could render. */
const nasty = [
  '\u001B[2J\u001B[31mred\u001B[0m',
  '\u001B]0;title\u0007',
  '\u001B]52;c;aGFoYQ==\u001B\\',
  '\u009B31m\u0085',
  '\u0000\u0008\u007F',
  'a\rb',
  'line\nFAKE ✓ T001 done\n',
  '\u202Egnp.exe\u202C',
  '\u200B\uFEFF',
  '"quotes\' `ticks` $(id) ${GOAL} ; rm -rf / #',
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  '![x](http://evil/x.png) [click](javascript:alert(1))',
  '# heading\n## heading\n| a | b |\n---\n```\nfence',
  '\uD800 lone',
  '../../../etc/passwd',
].join(' ')

const everyText = async (project: Project): Promise<string> => {
  const all = await Promise.all(
    [
      ['status'],
      ['ls'],
      ['runs'],
      ['report'],
      ['tail', '-n', 'all'],
      ['status', '--json'],
      ['ls', '--json'],
      ['runs', '--json'],
      ['tail', '--json', '-n', 'all'],
      ['diff', '--stat'],
      ['config'],
    ].map(async (args) => {
      const { code, stdout, stderr } = await call(project, args)
      expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' })
      return stdout
    }),
  )
  return all.join('')
}

/** Paths below a folder, links not followed. */
const below = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    return lstatSync(path).isDirectory() ? [path, ...below(path)] : [path]
  })

/** Lines of markdown that are in no fenced block; every block must be closed. */
function outsideFences(text: string): string {
  let fence = ''
  const lines = text.split('\n').filter((line) => {
    const ticks = /^(`{3,})(\w*)$/.exec(line)
    if (fence === '' && ticks) fence = ticks[1] ?? ''
    else if (fence !== '' && ticks && ticks[2] === '' && (ticks[1] ?? '').length >= fence.length) {
      fence = ''
      return false
    }
    return fence === ''
  })
  expect(fence).toBe('')
  return lines.join('\n')
}

describe('words', () => {
  test('in every field of every role: nothing a terminal obeys comes out, in a pipe or on a terminal, and reports stay reports', async () => {
    const project = create({
      config: { checks: ['true'], limits: { ...limits, attempts: 2, splitDepth: 1 } },
      agent: `${listening}
const nasty = ${JSON.stringify(nasty)}
process.stderr.write(nasty)
process.stdout.write(nasty + '\\n')
say({ type: 'message', text: nasty }); say({ type: 'tool_use', name: nasty, input: nasty }); say({ type: 'command', command: nasty, exitCode: 1 }); say({ type: 'session', id: nasty }); say({ type: nasty })
const wrap = (value) => ({ ...value, [nasty]: nasty, summary: nasty, feedback: nasty })
if (role === 'planner') answer(wrap({ status: 'plan', analysis: nasty, risks: [nasty], assumptions: [nasty], decisions: [{ title: nasty, choice: nasty, context: nasty, alternatives: [{ option: nasty, why: nasty }], invalidatedIf: nasty }],
  questions: [{ id: nasty, text: nasty, options: [nasty], default: nasty }],
  tasks: [{ id: 'T001', title: nasty, description: nasty, type: nasty, criteria: [nasty], checks: [nasty], files: [nasty] }, { id: nasty, title: nasty, dependsOn: ['T001'] }] }))
if (role === 'supervisor') answer(wrap({ score: purpose === 'verify-task' && attempt === 1 ? 40 : 90, issues: [{ severity: 'minor', message: nasty }], missing: [nasty] }))
if (role === 'tester') answer(wrap({ status: 'passed', total: 1, failures: [] }))
if (role === 'coder' && task === 'T001' && env.LOOPER_TURN.endsWith('implement')) process.exit(attempt === 1 ? 1 : 0)
if (role === 'coder') { write(task + '.txt', nasty); answer(wrap({ status: 'complete', files: [nasty], newTasks: [{ id: nasty, title: nasty }], decisions: [{ title: nasty, choice: nasty }] })) }`,
    })
    const piped = await call(project, ['run', `hostile ${nasty.replaceAll('\u0000', '')}`])
    expect(piped.code).toBe(0)
    expect(obeyed(piped.stdout + piped.stderr)).toEqual([])
    expect(piped.stdout).not.toMatch(/^FAKE/m)
    expect(obeyed(await everyText(project))).toEqual([])

    const report = project.read('.looper/runs/last/report.md')
    // Fenced blocks show text as it is; outside of them nothing of it may be markup.
    const prose = outsideFences(report)
    expect(prose.length).toBeLessThan(report.length)
    for (const markup of [/<script/i, /<img/i, /(?<!\\)!\[/, /(?<!\\)\]\(/, /^FAKE/m, /^#+ heading/m])
      expect(prose).not.toMatch(markup)
    expect(obeyed(report)).toEqual([])
    for (const file of ['plan.md', 'progress.md']) expect(obeyed(project.read(`.looper/runs/last/${file}`))).toEqual([])

    const { branch, tasks } = await project.status()
    for (const { id } of tasks) expect(id).toMatch(/^T\d{3}(\.\d)?$/)
    const messages = project.git('log', '--format=%B', `main..${branch}`)
    expect(obeyed(messages)).toEqual([])
    expect(messages.split('\n').filter((line) => line.startsWith('FAKE'))).toEqual([])
    // What agents are told about each other cannot pass for Looper's own words.
    const prompt = received(project, 'T001/a2/implement')
    expect(obeyed(prompt.replaceAll('\t', ''))).toEqual([])
    expect(prompt).toContain('${GOAL}')
    const own = outsideFences(prompt)
    expect(own).toContain('You are the coder')
    for (const foreign of ['FAKE', '# heading', '<script>', 'rm -rf', 'gnp.exe']) expect(own).not.toContain(foreign)

    const shown = await call(project, ['run', 'on a terminal', '--yes'], { terminal: true })
    expect(shown.code).toBe(0)
    const plain = shown.stdout.replaceAll('\r\n', '\n').replaceAll(/\r\u001B\[2K|\u001B\[\d+m/g, '')
    expect(obeyed(plain)).toEqual([])
  })

  test('of agents that fail: their last words are printed without escape sequences', async () => {
    const project = create({
      config: quick,
      agent: `process.stderr.write(${JSON.stringify(nasty)})\nsay({ type: 'error', kind: 'unknown', message: ${JSON.stringify(nasty)} })\nprocess.exit(3)`,
    })
    const { code, stdout, stderr } = await call(project, ['run', 'fail'])
    expect(code).toBe(1)
    expect(stdout).toContain('red')
    expect(obeyed(stdout + stderr)).toEqual([])
    const pausing = create({
      config: quick,
      agent: `say({ type: 'error', kind: 'auth', message: ${JSON.stringify(nasty)} })`,
    })
    const paused = await call(pausing, ['run', 'pause'])
    expect(paused.code).toBe(3)
    expect(obeyed(paused.stdout + paused.stderr + (await everyText(pausing)))).toEqual([])
  })

  test('of checks: the same', async () => {
    const project = create({
      config: {
        ...quick,
        baseline: 'off',
        checks: [`printf '\\033[2J\\033]0;x\\007\\302\\233 \\000 \\377 fail\\rX\\n'; exit 1`],
      },
      agent: `${only}${codes}`,
    })
    const { code, stdout, stderr } = await call(project, ['run', 'check'])
    expect(code).toBe(1)
    expect(obeyed(stdout + stderr)).toEqual([])
    const [check] = found(project, 'check.finished')
    expect(obeyed(check?.tail ?? '')).toEqual([])
  })
})

describe('names', () => {
  test('ids that lead elsewhere, mean something to Looper, git or JavaScript, or differ only in case: every task is done, under a safe name', async () => {
    const ids = [
      '../../x',
      '..',
      '.',
      '/etc/passwd',
      'main',
      'plan',
      'gate',
      'report',
      'constructor',
      'toString',
      '__proto__',
      'hasOwnProperty',
      '-rf',
      '.hidden',
      'a b',
      'a/b',
      'x.lock',
      'HEAD',
      '',
      'T\n1',
      'é',
      'a'.repeat(300),
      'Case',
      'case',
      'T002',
      '$(id)',
      'tip',
    ]
    const project = create({
      config: { ...quick, checks: [], thresholds: { failedTasksAbort: 1 } },
      agent: `${listening}
const ids = ${JSON.stringify(ids)}
if (role === 'planner') answer({ tasks: ids.map((id, n) => ({ id, title: 'task ' + n, dependsOn: n === 1 ? ['../../x'] : n === 2 ? ['constructor'] : [] })) })
if (role === 'coder') { note('cwd', process.cwd()); write('out/' + /task (\\d+)$/m.exec(prompt)[1] + '.txt', task); answer({ status: 'complete' }) }`,
    })
    const home = dirname(project.root)
    const outside = (): string[] => [
      ...below(home).filter((path) => !path.startsWith(project.root) && !path.startsWith(project.notes)),
      ...readdirSync(dirname(home)).filter((name) => name === 'x' || name === 'etc'),
    ]
    mkdirSync(project.workspaces, { recursive: true })
    const before = outside()
    const { code, stdout, stderr } = await call(project, ['run', 'names'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(obeyed(stdout)).toEqual([])
    const { tasks, branch } = await project.status()
    expect(tasks).toHaveLength(ids.length)
    expect(new Set(tasks.map(({ id }) => id.toLowerCase())).size).toBe(ids.length)
    for (const { id, status } of tasks)
      expect({ id, status }).toEqual({ id: expect.stringMatching(/^[A-Za-z0-9][\w.-]*$/), status: 'done' })
    expect(tasks[1]?.dependsOn).toEqual([tasks[0]?.id])
    expect(tasks[2]?.dependsOn).toEqual([tasks[8]?.id])
    expect(project.git('ls-tree', '--name-only', `${branch}:out`).split('\n')).toHaveLength(ids.length)
    expect(outside()).toEqual(before)
    for (const cwd of noted(project, 'cwd')) expect(cwd.startsWith(`${project.workspaces}/`)).toBe(true)
    expect(await everyText(project)).toContain('task 26')
    for (const name of ['constructor', '__proto__', 'toString']) {
      for (const args of [
        ['task', 'retry', name],
        ['task', 'skip', name],
        ['task', 'add', 'x', '--after', name],
        ['answer', name, 'x'],
        ['status', name],
      ]) {
        expect({ args, ...(await call(project, args)) }).toMatchObject({ args, code: 2, stdout: '' })
      }
    }
  })

  test('dependencies, parents and questions by such names later on: refused or ignored, never a crash', async () => {
    const project = create({
      config: { ...quick, limits: { ...limits, splitDepth: 1 } },
      agent: `${listening}
if (purpose === 'plan') answer({ tasks: [{ id: 'T001', title: 'x' }, { id: 'T002', title: 'y' }], questions: [{ text: 'q', default: 'd', blocks: ['constructor', '__proto__', 'T001'] }] })
if (purpose === 'split') answer({ tasks: [{ id: 'constructor', title: 'a' }, { id: 'b', title: 'b', dependsOn: ['constructor'] }] })
if (task === 'T001' && role === 'coder') { write('x', 'x'); answer({ status: 'complete', newTasks: [{ id: 'toString', title: 'x', dependsOn: ['constructor'] }] }) }
else if (task === 'T002' && role === 'coder') answer({ status: 'complete' })
else { ${codes} }`,
    })
    const { code, stderr } = await call(project, ['run', 'later'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const { tasks } = await project.status()
    expect(tasks.map(({ id, status }) => `${id} ${status}`)).toEqual([
      'T001 done',
      'T002 split',
      'T002.1 done',
      'T002.2 done',
    ])
    expect(found(project, 'finding.raised')).toMatchObject([
      { title: expect.stringContaining('new tasks'), detail: expect.stringContaining('constructor') },
    ])
  })
})

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

  test('config --json and the journal tell no value of an agent’s environment', async () => {
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

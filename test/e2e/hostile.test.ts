/**
 * Agents’ words are hostile: whatever they say, nothing escapes, nothing is obeyed, nothing is silently lost, and no
 * secret stays.
 */
import { mkdirSync, readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { below, codes, everyText, found, limits, only, quick } from '../kit/hostile-words.ts'
import { call, listening, noted, obeyed, projects, received } from '../kit/outside.ts'

const create = projects()
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

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

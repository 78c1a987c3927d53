import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import type { Event } from '../../src/model/event.ts'
import { beside, listening, noted, ownAgent, projects, received, turns } from '../kit/outside.ts'
import { cooperative, type Project } from '../kit/project.ts'

const create = projects()
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })
const found = <T extends Event['type']>(project: Project, type: T): Event<T>[] =>
  project.events().filter((event) => event.type === type) as never
const limits = { attempts: 1, goalIterations: 0, splitDepth: 0, fixCycles: 0 }
const quick = { review: false, limits }
const only = `if (role === 'planner') answer({ tasks: [{ id: 'T001', title: 'only' }] })\n`
const branch = 'looper/001-make-two-files'
const names = (project: Project, ref: string): string[] =>
  project
    .git('ls-tree', '-r', '-z', '--name-only', ref)
    .split('\0')
    .filter((name) => name !== '')

describe.concurrent('in place', () => {
  const inPlace = (more: object = {}): Record<string, unknown> => ({
    ...quick,
    checks: ['test ! -e broken.txt'],
    workspace: { mode: 'in-place', ...more },
  })

  test('without commits: agents work in the checkout, HEAD and index stay', async () => {
    const project = create({
      config: inPlace({ commit: false }),
      agent: `note('pwd', process.cwd())\nif (role === 'coder') write('README.md', task)\n${cooperative}`,
    })
    project.write('mine.txt', 'untracked')
    const head = project.git('rev-parse', 'HEAD')
    const { code, stdout, stderr } = await project.looper('run', 'make two files')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/in place/)
    expect(new Set(noted(project, 'pwd'))).toEqual(new Set([project.root]))
    expect(project.git('rev-parse', 'HEAD')).toBe(head)
    expect(project.git('status', '--porcelain').split('\n').toSorted()).toEqual([
      ' M README.md',
      '?? .looper/',
      '?? T001.txt',
      '?? T002.txt',
      '?? mine.txt',
    ])
    expect(project.git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main')
    expect(await project.status()).toMatchObject({ branch: 'main', tasks: [{ evidence: [{ exitCode: 0 }] }, {}] })
    const { stdout: diff } = await project.looper('diff')
    for (const line of ['-# test', '+T002', '+made by T001', '+made by T002']) expect(diff.split('\n')).toContain(line)
    expect(diff).not.toContain('mine.txt')
    expect(await project.looper('discard', '--yes')).toMatchObject({ code: 2 })
    expect(project.read('T001.txt')).toContain('T001')
  })

  test('with commits: one for each task on the user’s branch, and none of their own files in it', async () => {
    const project = create({
      config: inPlace({ commit: true }),
      files: { 'gone.txt': 'x' },
      agent: `if (task === 'T001') { fs.rmSync('gone.txt'); write('folder/deep.txt', 'x') }\n${cooperative}`,
    })
    project.write('mine.txt', 'untracked')
    project.git('config', 'commit.gpgSign', 'true')
    project.git('config', 'gpg.program', '/bin/false')
    expect(await project.looper('run', 'make two files')).toMatchObject({ code: 0, stderr: '' })
    expect(project.git('log', '--format=%s')).toBe('two\none\nstart')
    expect(await project.looper('diff', '--stat')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/T001\.txt[^]*gone\.txt/),
    })
    expect(names(project, 'HEAD')).toEqual(['README.md', 'T001.txt', 'T002.txt', 'folder/deep.txt'])
    expect(project.git('status', '--porcelain').split('\n').toSorted()).toEqual(['?? .looper/', '?? mine.txt'])
    expect(project.git('symbolic-ref', 'HEAD')).toBe('refs/heads/main')
  })

  test('with checks off, "changed nothing" is not tested; with checks it is', async () => {
    const idle = `${only}if (role === 'coder') answer({ status: 'complete' })`
    const off = create({
      config: { ...quick, checks: [], workspace: { mode: 'in-place', commit: false } },
      agent: idle,
    })
    expect(await off.looper('run', 'nothing')).toMatchObject({ code: 0 })
    expect(await off.status()).toMatchObject({ status: 'completed', tasks: [{ status: 'done', evidence: [] }] })
    const on = create({ config: inPlace(), agent: idle })
    expect(await on.looper('run', 'nothing')).toMatchObject({ code: 1 })
  })
})

describe.concurrent('read-only roles', () => {
  const scribbling = `
const scribble = () => { write('README.md', 'scribbled by ' + role); write(role + '-was-here.txt', 'x'); fs.rmSync('keep.txt', { force: true }); fs.chmodSync('tool.sh', 0o755) }
`
  test('planner, tester and supervisor who edit are caught, and all of it is put back', async () => {
    const project = create({
      files: { 'keep.txt': 'keep', 'tool.sh': 'x' },
      config: { checks: ['grep -q test README.md && test -e keep.txt && test ! -x tool.sh'], limits },
      agent: `${scribbling}
if (role === 'coder') note('seen', task + ' ' + fs.readdirSync('.').filter((name) => name !== '.git').toSorted())
else scribble()
${cooperative}`,
    })
    const { code, stdout } = await project.looper('run', 'make two files')
    expect(code).toBe(0)
    expect(names(project, branch)).toEqual(['README.md', 'T001.txt', 'T002.txt', 'keep.txt', 'tool.sh'])
    expect(project.git('show', `${branch}:README.md`)).toBe('# test')
    expect(noted(project, 'seen')).toEqual([
      'T001 README.md,keep.txt,tool.sh',
      'T002 README.md,T001.txt,keep.txt,tool.sh',
    ])
    const findings = found(project, 'finding.raised')
    expect(findings.map(({ title, task }) => `${task} ${title.split(' ')[0]}`).toSorted()).toEqual([
      'T001 supervisor',
      'T001 tester',
      'T002 supervisor',
      'T002 tester',
      'null planner',
      'null supervisor',
      'null supervisor',
    ])
    for (const { detail } of findings)
      for (const file of ['README.md', 'keep.txt', 'tool.sh', '-was-here.txt']) expect(detail).toContain(file)
    expect(stdout).toMatch(/planner changed files/)
    expect(project.read('.looper/runs/last/report.md')).toContain('planner changed files')
  })

  test('also while splitting, and also when its answer was invalid', async () => {
    const project = create({
      files: { 'keep.txt': 'keep', 'tool.sh': 'x' },
      config: { ...quick, limits: { ...limits, splitDepth: 1 } },
      agent: `${listening}${scribbling}
if (role === 'planner') scribble()
if (purpose === 'plan') env.LOOPER_TURN === 'plan/r0' ? answer({ status: 'never' }) : answer({ tasks: [{ id: 'T001', title: 'x' }] })
if (purpose === 'split') answer({ tasks: [{ title: 'a' }, { title: 'b' }] })
if (task === 'T001' && role === 'coder') answer({ status: 'complete' })
else if (role === 'coder') { write(task + '.txt', fs.readdirSync('.').filter((name) => name !== '.git').toSorted().join()); answer({ status: 'complete' }) }`,
    })
    expect(await project.looper('run', 'make two files')).toMatchObject({ code: 0 })
    expect(names(project, branch)).toEqual(['README.md', 'T001.1.txt', 'T001.2.txt', 'keep.txt', 'tool.sh'])
    expect(project.git('show', `${branch}:README.md`)).toBe('# test')
    expect(found(project, 'finding.raised').map(({ task }) => task)).toEqual([null, 'T001'])
  })

  test('in place nothing is put back, and the message says so', async () => {
    const project = create({
      config: { ...quick, checks: ['true'], workspace: { mode: 'in-place', commit: false } },
      agent: `if (role === 'planner') write('scribble.txt', 'x')\n${cooperative}`,
    })
    expect(await project.looper('run', 'make two files')).toMatchObject({ code: 0 })
    expect(project.read('scribble.txt')).toBe('x')
    const [finding] = found(project, 'finding.raised')
    expect(finding).toMatchObject({ detail: expect.stringContaining('scribble.txt') })
    expect(finding?.detail).not.toMatch(/put back/i)
  })
})

describe.concurrent('agents where they lie', () => {
  test('a program of the repository is found, committed or not; its relative arguments too', async () => {
    const script =
      '#!/usr/bin/env python3\nimport json, os, sys\nsys.stdin.read()\nif os.environ["LOOPER_ROLE"] == "planner": print(json.dumps({"tasks": [{"title": "x"}]}))\nelse:\n    open("made.txt", "w").write(sys.argv[1] if len(sys.argv) > 1 else "")\n    print(json.dumps({"status": "complete"}))\n'
    const project = create({ files: { 'tools/agent.py': script } })
    project.write('local/agent.py', script)
    for (const [n, command] of [
      ['python3', 'tools/agent.py', 'a b'],
      ['python3', 'local/agent.py'],
      ['./local/agent.py'],
    ].entries()) {
      execFileSync('chmod', ['+x', join(project.root, 'local/agent.py')])
      project.write('.looper/config.json', JSON.stringify({ ...quick, checks: [], agents: { py: { command } } }))
      expect({ command, ...(await project.looper('run', 'make two files')) }).toMatchObject({
        command,
        code: 0,
        stderr: '',
      })
      expect(project.git('show', `looper/00${n + 1}-make-two-files:made.txt`)).toBe(command[2] ?? '')
    }
  })

  test('a program that vanishes during the run pauses it, and the run continues when it is back', async () => {
    const project = create({ config: quick })
    const other = beside(
      project,
      'other.sh',
      '#!/bin/sh\ncat > /dev/null\necho x > x.txt\necho "{\\"status\\":\\"complete\\"}"\n',
    )
    beside(
      project,
      'agent.mjs',
      `import fs from 'node:fs'\nfs.rmSync('${other}')\nconsole.log(JSON.stringify({ tasks: [{ title: 'x' }] }))\n`,
    )
    project.configure({
      ...quick,
      agent: 'own',
      agents: { own: ownAgent(project), other: { command: [other] } },
      roles: { coder: { agent: 'other' } },
    })
    const { code, stdout } = await project.looper('run', 'make two files')
    expect(code).toBe(3)
    expect(stdout).toContain('other.sh')
    expect(await project.looper('resume')).toMatchObject({ code: 2, stderr: expect.stringContaining('other.sh') })
    beside(project, 'other.sh', '#!/bin/sh\ncat > /dev/null\necho x > x.txt\necho "{\\"status\\":\\"complete\\"}"\n')
    expect(await project.looper('resume')).toMatchObject({ code: 0 })
  })

  test('the next prompt of a task in place says that an earlier try was cut short', async () => {
    const project = create({
      config: { ...quick, checks: [], workspace: { mode: 'in-place', commit: false } },
      agent: `${listening}${only}
if (role === 'coder' && env.LOOPER_TURN === 'T001/a1/implement') process.exit(1)
if (role === 'coder') { write('x.txt', 'x'); answer({ status: 'complete' }) }`,
    })
    expect(await project.looper('run', 'make two files')).toMatchObject({ code: 0 })
    const [again] = turns(project).slice(-1)
    expect(received(project, again!.split(' ')[0]!)).toMatch(/cut short/)
    expect(readFileSync(join(project.root, 'x.txt'), 'utf8')).toBe('x')
  })
})

/** A run forked in the middle: the new one goes its own way, with another agent, and the old one does not notice. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import type { Event } from '../../src/model/event.ts'
import type { Stats } from '../../src/views/history/stats.ts'
import { forked, original, second, shown, threeTasks } from '../kit/forked-runs.ts'
import { projects } from '../kit/outside.ts'
import { cooperative, type Project } from '../kit/project.ts'
import { fingerprint } from '../kit/repository.ts'

const create = projects()
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

/** Everything of a run: its folder with times, its branch and refs, and the user's checkout. */
function printOf(project: Project, run: string): string {
  const walk = (folder: string): string[] =>
    readdirSync(folder, { withFileTypes: true })
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .flatMap((entry) => {
        const path = join(folder, entry.name)
        if (entry.isSymbolicLink()) return [`${path} -> ${readlinkSync(path)}`]
        return entry.isDirectory()
          ? walk(path)
          : [`${path} ${statSync(path).mtimeMs} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`]
      })
  const refs = project
    .git('for-each-ref', '--format=%(refname) %(objectname)')
    .split('\n')
    .filter((line) => line.includes(run))
  const commit = (): string => ''
  return JSON.stringify([walk(join(project.root, '.looper/runs', run)), refs, fingerprint({ ...project, commit })])
}
const commitOf = (events: readonly Event[], task: string): string | null =>
  (
    events.find((event) => event.type === 'task.finished' && event.task === task && event.status === 'done') as
      Event<'task.finished'> | undefined
  )?.commit ?? null

describe.concurrent('looper fork (F17)', () => {
  test('after the first of three tasks, resumed with another agent to its end; the original is untouched', async () => {
    const project = await threeTasks(create())
    const before = printOf(project, original)
    const first = project.events(original)

    const { code, stdout } = await project.looper('fork', '1', '--at', 'T002', '--agent', 'second', '--parallel', '2')
    expect(code).toBe(0)
    expect(stdout).toMatch(
      new RegExp(
        `^${second} starts where ${original} was at event \\d+: 1 of 3 tasks done\\n[^]*\\n {2}looper resume ${Number.parseInt(second, 10)} `,
      ),
    )
    expect(await project.status()).toMatchObject({
      id: second,
      status: 'paused',
      branch: `looper/${second}`,
      turns: 0,
      usage: { costUsd: 0 },
      tasks: [
        { id: 'T001', status: 'done' },
        { id: 'T002', status: 'todo', attempts: 0 },
        { id: 'T003', status: 'todo' },
      ],
    })
    expect(project.git('rev-parse', `looper/${second}`)).toBe(commitOf(first, 'T001'))

    expect(await project.looper('resume')).toMatchObject({ code: 0 })
    expect(await project.status(second)).toMatchObject({
      status: 'completed',
      turns: 2,
      tasks: [{ attempts: 1 }, { attempts: 1 }, { attempts: 1 }],
    })
    expect(['T001', 'T002', 'T003'].map((task) => shown(project, second, `${task}.txt`))).toEqual([
      'T001 by the first',
      'T002 by the second',
      'T003 by the second',
    ])
    expect(
      project
        .git('log', '--format=%(trailers:key=Looper-Run,valueonly,separator=)', `looper/${second}`)
        .split('\n')
        .slice(0, 3),
    ).toEqual([second, second, original])
    expect(printOf(project, original)).toBe(before)
    expect(shown(project, original, 'T003.txt')).toBe('T003 by the first')

    const [start] = project.events(second)
    expect(start).toMatchObject({
      type: 'run.started',
      run: second,
      branch: `looper/${second}`,
      config: { agent: 'first' },
    })
    expect(await project.looper('replay', second, '--files')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('none differs'),
    })
    expect(await project.looper('replay', original, '--files')).toMatchObject({ code: 0 })
    const { stdout: sums } = await project.looper('stats', '--json')
    expect(JSON.parse(sums) as Stats).toMatchObject({
      runs: 2,
      byStatus: { completed: 2 },
      tasks: { done: 5 },
      turns: 6,
      usage: { costUsd: 0.5 },
      agents: [
        { agent: 'first', attempts: 3, done: 3 },
        { agent: 'second', attempts: 2, done: 2, firstTry: 2 },
      ],
    })
    expect(await project.looper('apply', second)).toMatchObject({ code: 0 })
    expect(project.read('T003.txt')).toBe('T003 by the second\n')
  })

  test('a live run can be forked; its agents keep running', async () => {
    const project = create({
      agent: `if (role === 'coder' && !fs.existsSync(path.join(env.NOTES, 'go'))) { note('coding', task); while (!fs.existsSync(path.join(env.NOTES, 'go'))) await sleep(50) }\n${cooperative}`,
      config: { review: false },
    })
    const live = project.start('run', 'make two files')
    const ended = new Promise((done) => {
      live.once('close', done)
    })
    await vi.waitFor(() => expect(readdirSync(project.notes)).toContain('coding'), { timeout: 120_000, interval: 100 })
    const { run, from } = await forked(project, '1', '--at', 'last')
    expect(await project.status(run)).toMatchObject({
      status: 'paused',
      tasks: [{ id: 'T001', status: 'todo', attempts: 0 }, { id: 'T002' }],
    })
    expect(await project.status(from.run)).toMatchObject({ status: 'running' })
    writeFileSync(join(project.notes, 'go'), '')
    expect(await ended).toBe(0)
    expect(await project.looper('resume', run)).toMatchObject({ code: 0 })
    expect(await project.status(from.run)).toMatchObject({
      status: 'completed',
      tasks: [{ status: 'done' }, { status: 'done' }],
    })
  })

  test.each([
    ['in worktrees', {}],
    ['in place', { workspace: { mode: 'in-place' }, parallel: 1 }],
  ])(
    'a run %s that is under way can be replayed and counted, over and over, and does not notice; so it can when it has ended',
    async (_, more) => {
      const project = create({
        agent: `if (role === 'coder') { note('coding', task); while (!fs.existsSync(path.join(env.NOTES, 'go'))) await sleep(20) }\n${cooperative}`,
        config: { review: false, ...more },
      })
      const live = project.start('run', 'make two files')
      const ended = new Promise((done) => {
        live.once('close', done)
      })
      await vi.waitFor(() => expect(readdirSync(project.notes)).toContain('coding'), { timeout: 120_000, interval: 50 })
      const before = project.events('001-make-two-files')
      for (const files of [[], ['--files']]) {
        expect(await project.looper('replay', '1', ...files)).toMatchObject({
          code: 0,
          stdout: expect.stringContaining('none differs'),
          stderr: '',
        })
      }
      const counted = async (): Promise<Stats> => JSON.parse((await project.looper('stats', '--json')).stdout) as Stats
      expect(await counted()).toMatchObject({ runs: 1, byStatus: { running: 1 }, tasks: { doing: 1, todo: 1 } })
      if ('workspace' in more) {
        const refused = await project.looper('fork', '1', '--at', 'last', '--workspace', 'worktree')
        expect(refused).toMatchObject({
          code: 2,
          stdout: '',
          stderr: expect.stringContaining('001-make-two-files worked in place: it cannot be forked.'),
        })
        expect(refused.stderr.trimEnd().split('\n')).toHaveLength(2)
      }
      expect(project.events('001-make-two-files')).toEqual(before)
      writeFileSync(join(project.notes, 'go'), '')
      expect(await ended).toBe(0)
      expect(await project.looper('replay', '1', '--files')).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('none differs'),
        stderr: '',
      })
      expect(await counted()).toMatchObject({ runs: 1, byStatus: { completed: 1 }, tasks: { done: 2 } })
    },
  )
})

test('a fork, and a run that goes on, are driven by the agent program of the checkout, also when git tracks it', async () => {
  const agent = (signature: string): string => `
const fs = require('node:fs')
const { LOOPER_ROLE: role, LOOPER_TASK: task, LOOPER_RESULT_FILE: file } = process.env
const tasks = [{ id: 'T001', title: 'one' }, { id: 'T002', title: 'two', dependsOn: ['T001'] }]
if (role === 'coder') fs.writeFileSync(task + '.txt', '${signature}')
fs.writeFileSync(file, JSON.stringify(role === 'planner' ? { status: 'plan', tasks } : { status: 'complete' }))
`
  const project = create({ files: { 'tools/agent.cjs': agent('old') } })
  project.configure({
    agent: 'mine',
    agents: { mine: { command: ['node', 'tools/agent.cjs'] } },
    review: false,
    checks: ['true'],
    parallel: 1,
  })
  expect(await project.looper('run', 'make three files')).toMatchObject({ code: 0 })
  project.write('tools/agent.cjs', agent('new'))
  expect(await project.looper('fork', '--at', 'T001')).toMatchObject({ code: 0, stderr: '' })
  project.git('commit', '-qam', 'Another agent')
  expect(await project.looper('resume', '2')).toMatchObject({ code: 0 })
  const made = (run: string): string[] =>
    ['T001.txt', 'T002.txt'].map((path) => project.git('show', `looper/${run}:${path}`))
  expect(made(original)).toEqual(['old', 'old'])
  expect(made(second)).toEqual(['new', 'new'])
  expect(project.git('show', `looper/${second}:tools/agent.cjs`)).toContain('old')
})

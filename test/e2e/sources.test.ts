/** Backlogs that live elsewhere: whole runs on the issues of beads and on a task list of Claude Code. */
import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { bdProgram } from '../kit/beads-project.ts'
import { backlogWorker } from '../kit/backlog-agent.ts'
import { createProject, type Ended, type Project } from '../kit/project.ts'

let project: Project
afterEach(() => project?.remove())

const make = (config: Record<string, unknown>, agent = backlogWorker): Project =>
  (project = createProject({ agent, config: { workflow: 'backlog', checks: ['true'], parallel: 1, ...config } }))
const home = (): string => dirname(project.root)

/** With the stand-in for bd on the path. */
async function looper(...args: string[]): Promise<Ended> {
  const child = project.startThrough([], { PATH: `${join(home(), 'bin')}:${process.env['PATH']}` }, ...args)
  const texts = { stdout: '', stderr: '' }
  child.stdout?.on('data', (chunk) => {
    texts.stdout += String(chunk)
  })
  child.stderr?.on('data', (chunk) => {
    texts.stderr += String(chunk)
  })
  return {
    code: await new Promise((done) => {
      child.on('close', done)
    }),
    ...texts,
  }
}

function withBeads(...issues: Record<string, unknown>[]): void {
  mkdirSync(join(home(), 'bin'))
  symlinkSync(bdProgram, join(home(), 'bin/bd'))
  project.write('.git/info/exclude', '.beads\n')
  project.write(
    '.beads/stand-in.json',
    JSON.stringify({
      prefix: 'bd',
      count: 0,
      issues: issues.map((issue, n) => ({
        id: `bd-${n + 1}`,
        title: `Issue ${n + 1}`,
        status: 'open',
        priority: 2,
        issue_type: 'task',
        created_at: `2026-01-0${n + 1}T00:00:00Z`,
        labels: ['loop/auth'],
        ...issue,
      })),
    }),
  )
}
const issues = (): Record<string, unknown>[] =>
  (JSON.parse(project.read('.beads/stand-in.json')) as { issues: Record<string, unknown>[] }).issues
const done = (): string[] => readFileSync(join(project.notes, 'tasks'), 'utf8').trim().split('\n')

describe('C9: the issues of beads', () => {
  const config = { source: 'beads', sourceName: 'loop/auth' }
  const edge = (from: string, to: string): object => ({
    issue_id: from,
    depends_on_id: to,
    type: 'blocks',
    created_at: '2026-01-01T00:00:00Z',
  })

  test('are claimed, done in their order and closed with what was done; what is found becomes an issue', async () => {
    make(config, `env.FIND = 'bd-2';${backlogWorker}`)
    withBeads(
      { priority: 3 },
      { priority: 1, unknown: { kept: true } },
      { labels: ['loop/other'] },
      { priority: 0, dependencies: [edge('bd-4', 'bd-1')] },
    )
    const ended = await looper('run')
    expect(ended, ended.stdout + ended.stderr).toMatchObject({ code: 0 })
    expect(done()).toEqual(['bd-2', 'bd-1', 'bd-4', 'T004'])
    expect(issues().map(({ id, status, close_reason }) => [id, status, close_reason])).toMatchObject([
      ['bd-1', 'closed', 'made bd-1'],
      ['bd-2', 'closed', 'made bd-2'],
      ['bd-3', 'open', undefined],
      ['bd-4', 'closed', 'made bd-4'],
      [expect.any(String), 'closed', 'made T004'],
    ])
    expect(issues()[1]).toMatchObject({
      unknown: { kept: true },
      assignee: expect.stringMatching(/^looper\/001-[\w-]+@[\w.-]+-[\da-f]{8}$/),
    })
    expect(issues()[4]).toMatchObject({ external_ref: 'looper:loop/auth:T004', labels: ['loop/auth'] })
  })

  test('that another actor works on are left alone', async () => {
    make(config)
    withBeads({ status: 'in_progress', assignee: 'ann' }, {})
    const { code, stdout } = await looper('run')
    expect(code, stdout).toBe(3)
    expect(stdout).toContain('another actor has taken it')
    expect(done()).toEqual(['bd-2'])
    expect(issues()[0]).toMatchObject({ status: 'in_progress', assignee: 'ann' })
  })

  test('cannot be reached: the run pauses when it has waited enough, and then goes on', async () => {
    make({ ...config, limits: { waitMinutes: 0 } })
    withBeads({}, {})
    renameSync(join(home(), 'bin/bd'), join(home(), 'bin/away'))
    const parked = await looper('run')
    expect(parked.code, parked.stdout + parked.stderr).toBe(3)
    expect(parked.stdout + parked.stderr).toContain('bd cannot be started')
    renameSync(join(home(), 'bin/away'), join(home(), 'bin/bd'))
    const ended = await looper('resume')
    expect(ended, ended.stdout + ended.stderr).toMatchObject({ code: 0 })
    expect(issues().map(({ status }) => status)).toEqual(['closed', 'closed'])
  })
})

describe('B13: a task list of Claude Code', () => {
  const fileOf = (list: string, id: number): string => join(home(), '.claude/tasks', list, `${id}.json`)
  const put = (list: string, id: number, more: object = {}): void => {
    mkdirSync(dirname(fileOf(list, id)), { recursive: true })
    writeFileSync(
      fileOf(list, id),
      JSON.stringify(
        {
          id: String(id),
          subject: `Task ${id}`,
          description: 'x',
          status: 'pending',
          blocks: [],
          blockedBy: [],
          ...more,
        },
        null,
        2,
      ),
    )
  }
  const read = (list: string, id: number): Record<string, unknown> =>
    JSON.parse(readFileSync(fileOf(list, id), 'utf8')) as Record<string, unknown>

  test('is claimed, done in its order and completed', async () => {
    make({ source: 'claude-tasks', sourceName: 'mine' }, `env.FIND = '1';${backlogWorker}`)
    put('mine', 1, { blockedBy: ['2'], metadata: { wave: 2 } })
    put('mine', 2, { blocks: ['1'] })
    const ended = await looper('run')
    expect(ended, ended.stdout + ended.stderr).toMatchObject({ code: 0 })
    expect(done()).toEqual(['2', '1', 'T003'])
    expect(read('mine', 1)).toMatchObject({ status: 'completed', metadata: { wave: 2, looper: { summary: 'made 1' } } })
    expect(read('mine', 3)).toMatchObject({
      subject: 'found on the way',
      status: 'completed',
      metadata: { looper: { id: 'T003' } },
    })
  })

  test('is the newest when none is named, and stays the same when the run goes on', async () => {
    make(
      { source: 'claude-tasks' },
      `if (task === '1' && !fs.existsSync(path.join(env.NOTES, 'again'))) {
  note('again', 'x')
  answer({ task_id: '1', status: 'blocked', summary: '', blockers: ['no key'] })
} else {${backlogWorker}}`,
    )
    put('mine', 1)
    const paused = await looper('run')
    expect(paused.code, paused.stdout + paused.stderr).toBe(3)
    expect(read('mine', 1)).toMatchObject({
      status: 'pending',
      metadata: { looper: { status: 'blocked', reason: expect.stringContaining('no key') } },
    })
    put('newer', 7)
    expect((await project.looper('task', 'retry', '1')).code).toBe(0)
    const ended = await looper('resume')
    expect(ended, ended.stdout + ended.stderr).toMatchObject({ code: 0 })
    expect(read('mine', 1)['status']).toBe('completed')
    expect(read('newer', 7)['status']).toBe('pending')
  })

  test('that does not exist is reported before anything is written', async () => {
    make({ source: 'claude-tasks' })
    const { code, stderr } = await looper('run')
    expect(code).toBe(3)
    expect(stderr).toContain('there is no task list in')
  })
})

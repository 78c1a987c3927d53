import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import type { Event } from '../../src/model/event.ts'
import { projects } from '../kit/outside.ts'
import { type Ended, type Project } from '../kit/project.ts'
import { runThreeAgents } from '../kit/three-agents.ts'

const create = projects()
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

describe('agents in sh, python and node take a run from goal to branch', () => {
  let project: Project
  let ended: Ended

  beforeAll(async () => {
    ;({ project, ended } = await runThreeAgents(create))
  })

  test('run --json prints the journal: one event a line, seq 1, 2, 3 …, ISO times, valid sums', () => {
    const lines = ended.stdout.trimEnd().split('\n')
    expect(ended.stdout === readFileSync(join(project.root, '.looper/runs/last/events.jsonl'), 'utf8')).toBe(true)
    const events = lines.map((line) => JSON.parse(line) as Event & { sum: string })
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
    for (const { at } of events) expect(new Date(at).toISOString()).toBe(at)
    for (const line of lines) {
      const body = line.slice(0, line.lastIndexOf(',"sum":'))
      expect(JSON.parse(line)).toMatchObject({ sum: crc32(body).toString(16).padStart(8, '0') })
    }
    const types = new Set(events.map(({ type }) => type))
    for (const type of [
      'run.started',
      'stage.entered',
      'plan.accepted',
      'task.added',
      'task.started',
      'task.finished',
      'work.started',
      'work.finished',
      'check.finished',
      'verdict.given',
      'budget.spent',
      'run.ended',
    ]) {
      expect(types).toContain(type)
    }
    expect(events[0]).toMatchObject({ type: 'run.started', run: '001-make-two-files', workflow: 'supervised' })
    expect(events.at(-1)).toMatchObject({ type: 'run.ended', status: 'completed', reason: null })
    expect(JSON.stringify(events)).not.toContain(project.notes)
  })

  test('status --json has the documented shape', async () => {
    const status = await project.status()
    expect(JSON.parse((await project.looper('status', '--json')).stdout)).toEqual(status)
    expect(status).toMatchObject({
      id: '001-make-two-files',
      goal: 'Make two files',
      workflow: 'supervised',
      status: 'completed',
      reason: null,
      stage: 'report',
      health: 'PROGRESSING',
      branch: 'looper/001-make-two-files',
      turns: 2 + 2 * 3 + 1,
      wave: 2,
      questions: [],
      checkpoints: [
        { id: 'C1', commit: expect.stringMatching(/^[0-9a-f]{40}$/) },
        { id: 'C2', commit: expect.stringMatching(/^[0-9a-f]{40}$/) },
      ],
    })
    expect(status.tasks).toMatchObject([
      {
        id: 'T001',
        title: 'first',
        status: 'done',
        attempts: 1,
        fixCycles: 0,
        dependsOn: [],
        parent: null,
        evidence: [{ check: 'test -e T001.txt', exitCode: 0 }],
      },
      {
        id: 'T002',
        title: 'second',
        status: 'done',
        attempts: 1,
        fixCycles: 0,
        dependsOn: ['T001'],
        parent: null,
        evidence: [{ check: 'test -e T001.txt', exitCode: 0 }],
      },
    ])
    expect(Object.keys(status.usage).toSorted()).toEqual(['costUsd', 'inputTokens', 'outputTokens'])
    for (const named of ['1', '001', '001-make-two-files', 'make two', 'last'])
      expect((await project.status(named)).id).toBe(status.id)
    expect(await project.looper('status', 'nothing-like-it', '--json')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('nothing-like-it'),
    })
  })

  test('runs, ls, config and doctor --json have theirs', async () => {
    const [runs, ls, config, doctor, tail] = (await Promise.all(
      [['runs'], ['ls'], ['config'], ['doctor'], ['tail', '-n', '3']].map((args) => project.looper(...args, '--json')),
    )) as [Ended, Ended, Ended, Ended, Ended]
    const [row] = JSON.parse(runs.stdout) as Record<string, unknown>[]
    expect(row).toMatchObject({
      id: '001-make-two-files',
      goal: 'Make two files',
      workflow: 'supervised',
      status: 'completed',
      startedAt: expect.any(String),
      endedAt: expect.any(String),
    })
    expect(row).toMatchObject({
      tasks: { done: 2, total: 2 },
      reason: null,
      unverified: false,
      applied: null,
      discardedAt: null,
      usage: { costUsd: expect.any(Number) },
    })
    expect(JSON.parse(ls.stdout)).toMatchObject([
      { id: 'T001', status: 'done' },
      { id: 'T002', status: 'done' },
    ])
    const settings = JSON.parse(config.stdout) as Record<string, { value: unknown; source: string }>
    for (const entry of Object.values(settings)) expect(Object.keys(entry).toSorted()).toEqual(['source', 'value'])
    expect(settings).toMatchObject({
      workflow: { value: 'supervised', source: 'default' },
      parallel: { value: 4, source: 'default' },
      'limits.timeMinutes': { value: 120, source: 'default' },
      agent: { value: 'sh', source: expect.stringContaining('.looper/config.json') },
      checks: {
        value: [{ name: 'test -e T001.txt', run: 'test -e T001.txt' }],
        source: expect.stringContaining('project'),
      },
    })
    const rows = JSON.parse(doctor.stdout) as Record<string, unknown>[]
    for (const each of rows)
      expect(each).toEqual({
        check: expect.any(String),
        ok: true,
        detail: expect.any(String),
        hint: each['hint'] === null ? null : expect.any(String),
      })
    expect([runs, ls, config, doctor, tail].map(({ code }) => code)).toEqual([0, 0, 0, 0, 0])
    expect(tail.stdout).toBe(`${ended.stdout.trimEnd().split('\n').slice(-3).join('\n')}\n`)
  })

  test('a run leaves its folder, the link to it, and files that only the user can read', () => {
    const dir = join(project.root, '.looper/runs/last')
    for (const file of ['events.jsonl', 'plan.md', 'progress.md', 'report.md'])
      expect(existsSync(join(dir, file))).toBe(true)
    expect(basename(readFileSync(join(dir, 'report.md'), 'utf8').split('\n')[0] ?? '')).toContain('COMPLETED')
    for (const file of ['prompt.md', 'stream', 'stderr'])
      expect(statSync(join(dir, 'turns/plan.r0', file)).mode & 0o077).toBe(0)
    expect(project.git('status', '--porcelain', '--untracked-files=all')).toBe('?? .looper/config.json')
    expect(project.git('worktree', 'list').split('\n')).toHaveLength(1)
  })
})

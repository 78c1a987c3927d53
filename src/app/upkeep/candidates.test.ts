import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { baseConfig, planOf, play } from '../../../test/kit/play.ts'
import { completedRun, limitedRun } from '../../../test/kit/runs.ts'
import { sampleBytes } from '../../../test/kit/sample-events.ts'
import type { Event } from '../../model/event.ts'
import { candidates, type NameSource } from './candidates.ts'
import { runOf } from '../runs/runs.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'looper-candidates-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const keep = (id: string, events: readonly Event[], change: object = {}): void => {
  mkdirSync(runOf(root, id).folder, { recursive: true })
  writeFileSync(
    join(runOf(root, id).folder, 'events.jsonl'),
    sampleBytes(events.map((event) => (event.type === 'run.started' ? { ...event, ...change } : event))),
  )
}
const names = async (source: NameSource, run: string | null = null): Promise<string[]> => {
  const context = {
    cwd: root,
    env: {},
    home: root,
    packageFolder: resolve(import.meta.dirname, '../../..'),
    version: '1',
  }
  return (await candidates(context, root, source, run)).map(({ value }) => value)
}

test('D10: runs newest first; tasks and questions of the run that is named', async () => {
  const asking = play(baseConfig(), (work) =>
    work.kind === 'turn' && work.purpose === 'plan'
      ? planOf([{ id: 'T007', title: 'only' }], {
          questions: [{ text: 'which?', options: [], default: null, blocks: ['T007'] }],
        })
      : undefined,
  )
  keep('001-x', asking.events)
  keep('002-y', completedRun().events)
  expect(await names('run')).toEqual(['002-y', '001-x'])
  expect(await names('task')).toEqual(['T001', 'T002'])
  expect(await names('task', '1')).toEqual(['T007'])
  expect(await names('question', '001-x')).toEqual(['Q1'])
  expect(await names('question')).toEqual([])
  await expect(names('task', '9')).rejects.toThrow('There is no run "9"')
})

test('D10: sessions once each, newest first', async () => {
  for (const [id, session] of [
    ['001-a', 'auth'],
    ['002-b', 'docs'],
    ['003-c', 'auth'],
  ] as const)
    keep(id, limitedRun().events, { session })
  keep('004-d', limitedRun().events)
  writeFileSync(join(runOf(root, '004-d').folder, 'events.jsonl'), 'rubbish\nrubbish\n')
  expect(await names('session')).toEqual(['auth', 'docs'])
  expect(await names('run')).toEqual(['004-d', '003-c', '002-b', '001-a', 'auth', 'docs'])
})

test('D10: agents, pipelines and keys', async () => {
  mkdirSync(join(root, '.looper'))
  writeFileSync(join(root, '.looper/config.json'), JSON.stringify({ agents: { mine: { command: ['x'] }, codex: {} } }))
  expect(await names('agent')).toEqual(['mine', 'codex', 'claude', 'gemini', 'opencode'])
  expect(await names('pipeline')).toEqual(expect.arrayContaining(['work', 'full-refine']))
  expect(await names('key')).toEqual(
    expect.arrayContaining(['parallel', 'limits', 'limits.costUsd', 'roles.coder.agent']),
  )
  expect(await names('file')).toEqual([])
})

test('D10: task lists of Claude Code, those with tasks', async () => {
  expect(await names('list')).toEqual([])
  for (const list of ['mine', 'empty']) mkdirSync(join(root, '.claude/tasks', list), { recursive: true })
  writeFileSync(join(root, '.claude/tasks/mine/1.json'), '{}')
  expect(await names('list')).toEqual(['mine'])
})

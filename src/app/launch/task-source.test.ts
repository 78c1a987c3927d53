import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { sampleEvent, sampleState, sampleTask } from '../../../test/kit/state.ts'
import { LooperError } from '../../model/error.ts'
import type { TaskStore } from '../../model/source.ts'
import type { RunState } from '../../model/state.ts'
import { createClock } from '../../platform/clock.ts'
import type { TaskSource } from '../../sources/in-step.ts'
import { createTodoFile } from '../../sources/todo-file/store.ts'
import { openTaskSource } from './task-source.ts'

let dir: string
const backlog = {
  polls: 1,
  claimed: null,
  fresh: true,
  problems: [],
  reviews: 0,
  complete: false,
  written: 0,
  finished: 0,
}
let source: TaskSource | null = null
let isDown: boolean
let failures: number
let troubles: string[]
let state: RunState
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'looper-source-'))
  writeFileSync(
    join(dir, 'to-do.json'),
    JSON.stringify({ tasks: ['T1', 'T2'].map((id) => ({ id, title: id, status: 'todo' })) }),
  )
  ;[isDown, failures, troubles] = [false, 0, []]
  state = sampleState({
    run: '001-x',
    tasks: ['T1', 'T2'].map((id) => sampleTask({ id, title: id, priority: 3, origin: 'source' })),
  })
})
afterEach(() => {
  source?.stop()
  rmSync(dir, { recursive: true, force: true })
})

/** The real file, which cannot be written while `isDown`. */
function open(): TaskSource {
  const told = troubles
  const file = createTodoFile(join(dir, 'to-do.json'))
  const settle: TaskStore['settle'] = async () => {
    if (!isDown) return file.settle()
    failures++
    throw new LooperError('ENVIRONMENT_SOURCE', 'the disk is away')
  }
  source = openTaskSource({
    dir,
    run: '001-x',
    state,
    store: { ...file, settle },
    clock: createClock(0),
    onTrouble: (message) => told.push(message),
  })
  return source
}
const there = (): string[] =>
  (JSON.parse(readFileSync(join(dir, 'to-do.json'), 'utf8')) as { tasks: { status: string }[] }).tasks.map(
    ({ status }) => status,
  )
/** Polls the source and records the result, as the engine does. */
async function poll(opened: TaskSource) {
  const outcome = await opened.poll({ kind: 'sync', id: 'look/0', claim: null, write: null }, state)
  opened.touch(
    sampleEvent({ type: 'source.polled', poll: 0, changes: 0, claimed: null, complete: false, problems: [] }),
  )
  return outcome
}
function finish(opened: TaskSource, task: 'T1' | 'T2'): void {
  Object.assign(state.tasks[task] ?? {}, { status: 'done', attempts: 1, endedAt: state.lastAt })
  opened.touch(
    sampleEvent({
      type: 'task.finished',
      task,
      status: 'done',
      reason: null,
      block: null,
      evidence: [],
      commit: null,
      summary: null,
    }),
  )
}
const wait = (opened: TaskSource, id: string): void => {
  const awaits = { kind: 'retry', question: id, nth: 1 } as const
  const work = { kind: 'wait', id, until: '2026-03-01T11:00:00.000Z', awaits } as const
  opened.touch(sampleEvent({ type: 'work.started', work }))
}
const eventually = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 120_000, interval: 20 })

describe('D4: the results of a run are written to the source of its tasks', () => {
  test('soon, without another word', async () => {
    const opened = open()
    await poll(opened)
    finish(opened, 'T1')
    expect(there()).toEqual(['todo', 'todo'])
    await eventually(() => expect(there()).toEqual(['done', 'todo']))
  })

  test('repeatedly after an outage, without other events; the outage is reported once', async () => {
    const opened = open()
    await poll(opened)
    isDown = true
    finish(opened, 'T1')
    await eventually(() => expect(failures).toBeGreaterThan(1))
    expect(troubles).toEqual(['the backlog is not up to date: the disk is away'])
    isDown = false
    await eventually(() => expect(there()).toEqual(['done', 'todo']))
    expect(troubles).toEqual(['the backlog is not up to date: the disk is away'])
  })

  test('whenever it waits, also when the first try fails', async () => {
    const opened = open()
    await poll(opened)
    isDown = true
    finish(opened, 'T1')
    finish(opened, 'T2')
    wait(opened, 'quota/claude')
    await eventually(() => expect(troubles).toEqual(['the backlog is not up to date: the disk is away']))
    expect(there()).toEqual(['todo', 'todo'])
    isDown = false
    await eventually(() => expect(there()).toEqual(['done', 'done']))
  })

  test('at once when it waits', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    try {
      const opened = open()
      await poll(opened)
      finish(opened, 'T1')
      wait(opened, 'quota/claude')
      for (let turn = 0; there()[0] !== 'done' && turn < 500_000; turn++)
        await new Promise((resolve) => {
          setImmediate(resolve)
        })
      expect(there()).toEqual(['done', 'todo'])
    } finally {
      vi.useRealTimers()
    }
  })

  test('an outage at the end is an error that says so, and the next process makes up for it', async () => {
    const first = open()
    await poll(first)
    isDown = true
    finish(first, 'T1')
    await expect(first.settle()).rejects.toMatchObject({ code: 'ENVIRONMENT_SOURCE', message: 'the disk is away' })
    first.stop()
    expect(there()).toEqual(['todo', 'todo'])
    isDown = false
    const next = open()
    expect((await poll(next)).tasks.map(({ id }) => id)).not.toContain('T1')
    await next.settle()
    expect(there()).toEqual(['done', 'todo'])
  })

  test('a backlog that a person breaks is reported once', async () => {
    const opened = open()
    await poll(opened)
    finish(opened, 'T1')
    writeFileSync(join(dir, 'to-do.json'), '{')
    const failure: unknown = await opened.settle().catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'CONFIG_BACKLOG' })
    opened.report(failure)
    opened.report(failure)
    expect(troubles).toEqual([expect.stringMatching(/^the backlog is not up to date: to-do\.json:1:2: /)])
  })

  test('a backlog that a poll could not read is not reported again', async () => {
    state.backlog = { ...backlog, problems: ['to-do.json: line 1'] }
    open().report(new LooperError('CONFIG_BACKLOG', 'to-do.json: line 1'))
    expect(troubles).toEqual([])
  })

  test('never after it was stopped', async () => {
    const opened = open()
    await poll(opened)
    isDown = true
    finish(opened, 'T1')
    wait(opened, 'quota/claude')
    opened.stop()
    await eventually(() => expect(failures).toBe(1))
    await expect(opened.settle()).rejects.toThrow('the disk is away')
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    try {
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })
})

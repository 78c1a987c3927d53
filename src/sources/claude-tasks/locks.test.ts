import { spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findTaskList } from './folder.ts'
import { createClaudeTaskStore } from './store.ts'

const at = '2026-03-01T10:00:00.000Z'

let home: string
let folder: string
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'looper-claude-home-')))
  folder = join(home, '.claude', 'tasks', 'my-loop')
  mkdirSync(folder, { recursive: true })
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const put = (name: string, content: unknown): void =>
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content, null, 2))
const read = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, unknown>
const file = (id: string, more: object = {}): object => ({
  id,
  subject: `Task ${id}`,
  description: '',
  status: 'pending',
  blocks: [],
  blockedBy: [],
  ...more,
})

describe('locks', () => {
  test.each(['1.json.lock', '.lock.lock'])('waits while another process holds %s', async (name) => {
    put('1.json', file('1'))
    mkdirSync(join(folder, name))
    const store = createClaudeTaskStore(folder)
    const marker = join(home, 'released')
    spawn('sh', ['-c', 'sleep 0.3; touch "$1"; rmdir "$2"', 'sh', marker, join(folder, name)])
    expect(await store.claim('1', 'run-1', at)).toBe(true)
    expect(existsSync(marker)).toBe(true)
  })

  test('gives up on one that is held too long, and leaves it', async () => {
    put('1.json', file('1'))
    mkdirSync(join(folder, '1.json.lock'))
    const store = createClaudeTaskStore(folder, { patienceMs: 100 })
    await expect(store.claim('1', 'run-1', at)).rejects.toMatchObject({
      code: 'ENVIRONMENT_SOURCE',
      message: expect.stringMatching(/1\.json\.lock is held/),
    })
    expect(read('1.json')['status']).toBe('pending')
    expect(readdirSync(folder).toSorted()).toEqual(['.lock', '1.json', '1.json.lock'])
  })

  test('takes that of one who died', async () => {
    put('1.json', file('1'))
    const longAgo = new Date(Date.now() - 11_000)
    for (const name of ['1.json.lock', '.lock.lock']) {
      mkdirSync(join(folder, name))
      utimesSync(join(folder, name), longAgo, longAgo)
    }
    expect(await createClaudeTaskStore(folder, { patienceMs: 0 }).claim('1', 'run-1', at)).toBe(true)
    expect(readdirSync(folder).toSorted()).toEqual(['.lock', '1.json'])
  })
})

describe('which list', () => {
  const machine = (env: NodeJS.ProcessEnv = {}) => ({ env, home })

  test('is the one that is named, in the folder of Claude Code', async () => {
    expect(await findTaskList(machine(), 'my-loop')).toBe(folder)
    expect(await findTaskList(machine({ CLAUDE_CODE_TASK_LIST_ID: 'other' }), 'my-loop')).toBe(folder)
    expect(await findTaskList(machine({ CLAUDE_CODE_TASK_LIST_ID: 'other' }), null)).toBe(
      join(home, '.claude/tasks/other'),
    )
    expect(await findTaskList(machine({ CLAUDE_CONFIG_DIR: '/elsewhere' }), 'x')).toBe('/elsewhere/tasks/x')
  })

  test('is otherwise the one with the newest task', async () => {
    for (const [name, second] of [
      ['old', 1],
      ['new', 9],
      ['middle', 5],
      ['empty', 0],
    ] as const) {
      mkdirSync(join(folder, '..', name))
      if (second === 0) continue
      writeFileSync(join(folder, '..', name, '1.json'), '{}')
      utimesSync(join(folder, '..', name, '1.json'), new Date(second * 1_000), new Date(second * 1_000))
    }
    expect(await findTaskList(machine(), null)).toBe(join(folder, '..', 'new'))
  })

  test.each(['../x', 'a/b', '..', '.lock', ''])('cannot be %j', async (name) => {
    const finding = findTaskList(machine(), name)
    if (name === '') await expect(finding).rejects.toMatchObject({ code: 'ENVIRONMENT_SOURCE' })
    else await expect(finding).rejects.toMatchObject({ code: 'USAGE_ARGUMENTS' })
  })

  test('must be there', async () => {
    rmSync(join(home, '.claude'), { recursive: true })
    await expect(findTaskList(machine(), null)).rejects.toMatchObject({
      code: 'ENVIRONMENT_SOURCE',
      message: expect.stringMatching(/no task list in/),
    })
  })
})

/**
 * A task list that the real Claude Code and Looper share: each finds what the other has written, under each other's
 * locks.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import type { SourceTask } from '../../src/model/source.ts'
import { findTaskList } from '../../src/sources/claude-tasks/folder.ts'
import { withLock } from '../../src/sources/claude-tasks/lock.ts'
import { createClaudeTaskStore } from '../../src/sources/claude-tasks/store.ts'
import { createModelServer, type ModelServer } from '../../src/testing.ts'
import { forEachAgent, realAgents } from './kit/for-each-agent.ts'

const at = '2026-03-01T10:00:00.000Z'
const found: SourceTask = {
  id: 'T900',
  title: 'Found',
  description: 'x',
  dependsOn: ['1'],
  criteria: [],
  files: [],
  type: null,
  priority: 3,
  status: 'todo',
  reason: null,
}

type Call = [name: 'TaskCreate' | 'TaskUpdate' | 'TaskList', input: object]

let server: ModelServer
let home: string
beforeEach(async () => {
  server = await createModelServer()
  home = realpathSync(mkdtempSync(join(tmpdir(), 'looper-real-tasks-')))
  mkdirSync(join(home, 'work'))
})
afterEach(async () => {
  await server.close()
  rmSync(home, { recursive: true, force: true })
})

/** Has Claude Code use its tools one after the other; resolves with what each of them said. */
const claude = (...calls: Call[]): Promise<string[]> => session(calls).said

function session(calls: readonly Call[]): { said: Promise<string[]>; asked: Promise<unknown> } {
  const model = server.script(`session-${Math.random()}`, [
    ...calls.map(([name, input]) => ({ text: 'Now.', toolCalls: [{ name, input }] })),
    { text: 'Done.' },
  ])
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    ANTHROPIC_BASE_URL: model.baseUrls.anthropic,
    ANTHROPIC_API_KEY: 'dummy-0123456789abcdef',
    IS_SANDBOX: '1',
    CLAUDE_CODE_TASK_LIST_ID: 'my-loop',
    CLAUDE_CODE_ENABLE_TASKS: '1',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    TMPDIR: home,
  }
  const args = [
    '-p',
    'go',
    '--permission-mode',
    'bypassPermissions',
    '--output-format',
    'stream-json',
    '--verbose',
    '--model',
    'claude-opus-4-5',
  ]
  const child = spawn(inject('programs')['claude'] ?? '', args, {
    env,
    cwd: join(home, 'work'),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return { said: resultsIn(child.stdout), asked: model.asked(1) }
}

async function resultsIn(stream: AsyncIterable<unknown>): Promise<string[]> {
  let output = ''
  for await (const chunk of stream) output += String(chunk)
  return [...output.matchAll(/"type":"tool_result","content":("(?:[^"\\]|\\.)*")/g)].map(
    ([, text]) => JSON.parse(text ?? '""') as string,
  )
}

forEachAgent(
  () => {
    test('B13: a task list is read, claimed, changed and added to, and Claude Code understands all of it', async () => {
      await claude(
        ['TaskCreate', { subject: 'First', description: 'do first', activeForm: 'Doing first' }],
        ['TaskCreate', { subject: 'Second', description: 'do second', metadata: { wave: 2 } }],
        ['TaskCreate', { subject: 'Third', description: 'do third' }],
        ['TaskUpdate', { taskId: '2', addBlockedBy: ['1'] }],
        ['TaskUpdate', { taskId: '3', status: 'deleted' }],
      )
      const folder = await findTaskList({ env: {}, home }, null)
      const store = createClaudeTaskStore(folder)
      expect((await store.list())?.map(({ id, title, dependsOn, status }) => [id, title, dependsOn, status])).toEqual([
        ['1', 'First', [], 'todo'],
        ['2', 'Second', ['1'], 'todo'],
      ])
      expect(await store.claim('1', 'looper/001-x', at)).toBe(true)
      await store.update('2', { status: 'blocked', reason: 'no key', summary: null, files: [], at })
      await store.add(found, at)

      const said = await claude(
        ['TaskList', {}],
        ['TaskUpdate', { taskId: '2', metadata: { wave: 3 } }],
        ['TaskCreate', { subject: 'Fifth', description: 'do fifth' }],
      )
      expect(said[0]).toContain('#1 [in_progress] First (looper/001-x)')
      expect(said[0]).toContain('#4 [pending] Found [blocked by #1]')
      expect(said[2]).toContain('#5 created')
      const second = JSON.parse(readFileSync(join(folder, '2.json'), 'utf8')) as object
      expect(second).toMatchObject({ metadata: { wave: 3, looper: { status: 'blocked', reason: 'no key' } } })
      expect((await store.list())?.map(({ id, status, reason }) => [id, status, reason])).toEqual([
        ['1', 'doing', null],
        ['2', 'blocked', 'no key'],
        ['T900', 'todo', null],
        ['5', 'todo', null],
      ])
    })

    test('B13: concurrent changes are not lost', async () => {
      await claude(
        ...Array.from({ length: 3 }, (_, n): Call => ['TaskCreate', { subject: `Task ${n + 1}`, description: 'x' }]),
      )
      const folder = await findTaskList({ env: {}, home }, 'my-loop')
      const store = createClaudeTaskStore(folder)
      const session = claude(
        ...Array.from({ length: 12 }, (_, n): Call =>
          n % 2 === 0
            ? ['TaskUpdate', { taskId: '1', metadata: { [`k${n}`]: n } }]
            : ['TaskCreate', { subject: `New ${n}`, description: 'x' }],
        ),
      )
      let [isOver, rounds] = [false, 0]
      const ended = session.then(() => {
        isOver = true
      })
      while (!isOver) {
        await store.update('1', {
          status: rounds % 2 === 0 ? 'blocked' : 'todo',
          reason: rounds % 2 === 0 ? `why ${rounds}` : null,
          summary: null,
          files: [],
          at,
        })
        await store.add({ ...found, id: `L${rounds}`, title: `Ours ${rounds}`, dependsOn: [] }, at)
        rounds++
      }
      await ended
      expect((await session).filter((text) => /error|held/i.test(text))).toEqual([])
      const tasks = (await store.list()) ?? []
      expect(tasks.map(({ title }) => title)).toEqual(
        expect.arrayContaining([
          ...[1, 3, 5, 7, 9, 11].map((n) => `New ${n}`),
          ...Array.from({ length: rounds }, (_, n) => `Ours ${n}`),
        ]),
      )
      const first = JSON.parse(readFileSync(join(folder, '1.json'), 'utf8')) as { metadata: object }
      expect(first.metadata).toMatchObject({ k0: 0, k2: 2, k4: 4, k6: 6, k8: 8, k10: 10 })
      expect(readdirSync(folder).filter((name) => name.endsWith('.lock') && name !== '.lock')).toEqual([])
    })

    test("B13: Claude Code waits for Looper's locks", async () => {
      await claude(['TaskCreate', { subject: 'First', description: 'x' }])
      const file = join(await findTaskList({ env: {}, home }, 'my-loop'), '1.json')
      const { said } = await withLock(file, async () => {
        const before = JSON.parse(readFileSync(file, 'utf8')) as object
        const waiting = session([['TaskUpdate', { taskId: '1', metadata: { theirs: 1 } }]])
        await waiting.asked
        // By now it would have written, if it did not care.
        await delay(700)
        writeFileSync(file, JSON.stringify({ ...before, subject: 'Ours' }, null, 2))
        return waiting
      })
      expect(await said).toEqual(['Updated task #1 metadata'])
      expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ subject: 'Ours', metadata: { theirs: 1 } })
    })
  },
  realAgents.filter(({ name }) => name === 'claude'),
)
